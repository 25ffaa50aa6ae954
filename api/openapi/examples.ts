import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFiles } from '../../platform/settings/project-files.js';

/** Operation id → name of an example → body of a response. */
const fileShape = z.record(z.string(), z.record(z.string(), z.unknown()));

const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.assign(
  {},
  ...readdirSync(projectFiles.answerExamples).map(name =>
    fileShape.parse(JSON.parse(readFileSync(join(projectFiles.answerExamples, name), 'utf8'))),
  ),
);

/**
 * The examples of a response, with their stored bodies.
 * @param summaries by name
 * @throws Error for an example without a body
 */
export function examplesOf(operationId: string, summaries: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(summaries).map(([name, summary]) => [
      name,
      { summary, value: exampleOf(operationId, name) },
    ]),
  );
}

/** The body of one response. */
export function exampleOf(operationId: string, name: string): unknown {
  const value = values[operationId]?.[name];
  if (value === undefined) throw new Error(`contract/examples/ has no body ${operationId}.${name}`);
  return value;
}
