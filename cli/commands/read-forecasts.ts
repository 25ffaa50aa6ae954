import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { ResolvedQuestion } from '../../record/learning/evaluate.js';

/** Reads a file of resolved questions. @throws Error that names the file, or the line and column of a mistake */
export function readForecastFile(file: string): ForecastTable {
  try {
    return readForecasts(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof CsvError) throw error;
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  }
}

export interface ForecastTable {
  readonly forecasters: readonly string[];
  readonly questions: readonly ResolvedQuestion[];
}

/**
 * Reads a CSV table with one resolved yes/no question per line: `id,outcome,market` and one column per
 * forecaster, with probabilities from 0 to 1, empty where there is none. The columns `event` and `checkpoint`
 * are optional.
 * @throws Error that names the line and column of the first mistake: no line is skipped silently
 */
export function readForecasts(text: string): ForecastTable {
  const [header, ...lines] = readLines(text);
  const columns = readHeader(header?.record ?? []);
  if (lines.length === 0) throw new Error('The file has a header and no questions.');
  return {
    forecasters: columns.forecasters.map(({ name }) => name),
    questions: lines.map(line => readQuestion(line, columns)),
  };
}

const linesShape = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));
type Line = z.infer<typeof linesShape>[number];

function readLines(text: string): Line[] {
  try {
    return linesShape.parse(parse(text, { bom: true, trim: true, info: true, skip_empty_lines: true }));
  } catch (error) {
    if (error instanceof CsvError) {
      throw new Error(`The file is not a CSV table: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}

const required = ['id', 'outcome', 'market'] as const;
/** `event` groups the questions of one event; `checkpoint` is when the forecast was made. */
const optional: readonly string[] = ['event', 'checkpoint'];
const forecastersMin = 2;

interface Columns {
  readonly names: readonly string[];
  readonly forecasters: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly index: number;
}

function readHeader(names: readonly string[]): Columns {
  const columns = names
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => !optional.includes(name));
  if (!required.every((name, position) => columns[position]?.name === name)) {
    throw new Error(
      `The first line must begin with ${required.join(',')} (event and checkpoint are optional), followed by one column per forecaster; it is: ${names.join(',').slice(0, 200)}`,
    );
  }
  const forecasters = columns.slice(required.length);
  const forecasterNames = forecasters.map(({ name }) => name);
  if (forecasters.length < forecastersMin) {
    throw new Error(
      `A council needs at least ${forecastersMin} forecasters; the file has ${forecasters.length}.`,
    );
  }
  if (forecasterNames.includes('') || new Set(forecasterNames).size < forecasters.length) {
    throw new Error('Every forecaster in the first line needs a unique name.');
  }
  return { names, forecasters };
}

function readQuestion({ record, info }: Line, { names, forecasters }: Columns): ResolvedQuestion {
  const invalid = (column: string, rule: string): Error =>
    new Error(`Line ${info.lines}, column ${column}: ${rule}.`);
  const cell = (name: string): string => record[names.indexOf(name)] ?? '';
  const identifier = (name: string): string => {
    if (cell(name) === '') throw invalid(name, 'must not be empty');
    return cell(name);
  };
  const probability = (text: string, column: string): number | null => {
    const parsed = probabilityShape.safeParse(text);
    if (!parsed.success) throw invalid(column, 'must be a probability from 0 to 1, or empty');
    return parsed.data;
  };

  const id = identifier('id');
  const event = names.includes('event') ? { event: identifier('event') } : {};
  const checkpoint = cell('checkpoint') === '' ? {} : { checkpoint: cell('checkpoint') };
  const outcome = outcomeShape.safeParse(cell('outcome'));
  if (!outcome.success) throw invalid('outcome', 'must be 0 or 1, the answer of the question');
  return {
    id,
    ...event,
    ...checkpoint,
    outcome: outcome.data,
    market: probability(cell('market'), 'market'),
    forecasts: forecasters.map(({ name, index }) => probability(record[index] ?? '', name)),
  };
}

const decimal = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const outcomeShape = z
  .string()
  .regex(decimal)
  .transform(Number)
  .pipe(z.union([z.literal(0), z.literal(1)]));

const probabilityShape = z.union([
  z.literal('').transform(() => null),
  z.string().regex(decimal).transform(Number).pipe(z.number().min(0).max(1)),
]);
