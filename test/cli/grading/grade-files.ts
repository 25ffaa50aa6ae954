import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { graderVersion } from '../../../record/grades/grade.js';
import { scoreOf } from '../../../record/grades/grade-scores.js';
import { council } from '../../support/service/council-command.js';

/** A folder for the files of a test, and the command on them. */
export function gradeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'grade-'));
  const typed = (...args: string[]) => council(['grade', ...args], {});
  return {
    folder,
    remove: () => rmSync(folder, { recursive: true }),
    write: (name: string, content: unknown): string => {
      const file = join(folder, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      return file;
    },
    typed,
    /** The printed document of a command that succeeds. */
    graded: async (...args: string[]) => {
      const { code, out, err } = await typed(...args);
      expect({ code, err }).toMatchObject({ code: 0 });
      return JSON.parse(out);
    },
  };
}

export function jsonLines(rows: readonly unknown[]): string {
  return `${rows.map(row => JSON.stringify(row)).join('\n')}\n`;
}

/** Lines of the table that `evaluate` reads. */
export const rain = 'q1,1,0.5,0.8,0.6\nq2,0,0.4,0.4,0.2\n';

interface RowInput {
  readonly report_id: number;
  readonly event_id?: string;
  /** Percents of YES, which happened. */
  readonly council?: number;
  readonly market?: number;
}

/** A row of the export on one market with both sides, of which YES happened, as the service grades it. */
export function exportedRow({ report_id, event_id = 'e1', council: percent = 60, market = 50 }: RowInput) {
  const outcome = (name: string, side: string, p: number, price: number, happened: number) => ({
    name,
    market_id: 'm-Rain',
    side,
    council: p,
    market: price,
    members: { claude: p, gpt: p },
    estimate: price,
    first_council: p,
    first_members: {},
    happened,
  });
  return {
    report_id,
    event_id,
    state: 'graded',
    rules_changed: report_id === 2,
    grader: graderVersion,
    exclusive: true,
    outcomes: [
      outcome('Yes', 'yes', percent, market, 1),
      outcome('No', 'no', 100 - percent, 100 - market, 0),
    ],
    scores: { council: scoreOf([percent / 100, (100 - percent) / 100], [1, 0], true) },
    resolution: { outcomes: { 'm-Rain': 'yes' }, evidence: {} },
  };
}

/** Rows as a table, with JSON in the cells that are no text. */
export function csv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const [first] = rows;
  const names = Object.keys(first ?? {});
  const cell = (value: unknown) => {
    if (value === null) return '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `"${text.replaceAll('"', '""')}"`;
  };
  return [names.join(','), ...rows.map(row => names.map(name => cell(row[name])).join(','))].join('\n');
}
