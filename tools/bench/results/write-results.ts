import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { formatGoal, formatMarkdown, isMet, type Measured } from './measurement.js';

const resultsFile = join(projectFiles.root, 'tools', 'bench', 'results.json');
const document = join(projectFiles.root, 'docs', 'bench.md');
const images = join(projectFiles.root, 'docs', 'images');

/** Replaces the previous result of a measurement in `tools/bench/results.json`, `docs/bench.md` and the plots. */
export function writeResults(name: string, measured: Measured): void {
  const results = readResults();
  const goals = measured.goals.map(({ what, value, atMost, atLeast }) => ({
    what,
    value,
    at_most: atMost,
    at_least: atLeast,
    met: isMet({
      what,
      value,
      ...(atMost === undefined ? {} : { atMost }),
      ...(atLeast === undefined ? {} : { atLeast }),
    }),
  }));
  results[name] = { machine: machine(), ...measured.figures, goals };
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(document, withSection(readFileSync(document, 'utf8'), name, sectionOf(measured)));
  mkdirSync(images, { recursive: true });
  for (const [file, svg] of Object.entries(measured.plots ?? {}))
    writeFileSync(join(images, `${file}.svg`), svg);
}

/** What was measured last, by the name of the measurement. */
export function readResults(): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(resultsFile, 'utf8')));
}

/** Stored with each measurement, because they can come from different machines. */
function machine() {
  return {
    node: process.version,
    platform: process.platform,
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
  };
}

function sectionOf({ table, goals }: Measured): string {
  const lines = goals.map(goal => `- ${formatGoal(goal)}`);
  return [formatMarkdown(table), ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
}

/** Replaces the text between the markers of the measurement. The rest of the document is written by hand. */
function withSection(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before)
    throw new Error(`${document} has no section for ${name}: ${begin} … ${end}`);
  return `${text.slice(0, before)}${begin}\n\n${section}\n\n${text.slice(after)}`;
}
