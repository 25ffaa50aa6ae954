import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { distributionSumTolerancePercent, outcomesMax } from '../../../council/method.js';
import { at, atLeast, sum } from '../../../council/numbers.js';
import type { ResolvedReport } from '../../../record/learning/resolved-reports.js';

/** Reads a file of resolved questions. @throws Error that names the file, or the line and column of a mistake */
export function readForecastFile(file: string): ForecastTable {
  const { forecasters, reports } = openForecastFile(file);
  return { forecasters, reports: [...reports()].map(({ report }) => report) };
}

/** The same, with the reports one at a time. */
export function openForecastFile(file: string): OpenForecastTable {
  try {
    return openForecasts(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof CsvError) throw error;
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error });
  }
}

interface OpenForecastTable {
  readonly forecasters: readonly string[];
  readonly reports: () => Iterable<ReadReport>;
}

export interface ForecastTable {
  readonly forecasters: readonly string[];
  readonly reports: readonly ResolvedReport[];
}

/** A report with what only `grade` reads of its lines. */
export interface ReadReport {
  readonly report: ResolvedReport;
  /** The set, or the id of a single line. */
  readonly id: string;
  /** Of each market, a day before the event closed; null without the column. */
  readonly closingPrices: readonly (number | null)[] | null;
}

/**
 * Reads a CSV table with one resolved yes/no question per line: `id,outcome,market` and one column per
 * forecaster, with probabilities from 0 to 1, empty where there is none. The columns `event`, `checkpoint`, `set` and
 * `exclusive` are optional. Lines of one `set` are one report: the outcomes of which exactly one happens, or, where
 * `exclusive` is 0, independent markets.
 * @throws Error that names the line and column of the first mistake: no line is skipped silently
 */
export function readForecasts(text: string): ForecastTable {
  const { forecasters, reports } = openForecasts(text);
  return { forecasters, reports: [...reports()].map(({ report }) => report) };
}

function openForecasts(text: string): OpenForecastTable {
  const { columns, lines } = readLines(text);
  if (lines.length === 0) throw new Error('The file has a header and no questions.');
  const forecasters = columns.forecasters.map(({ name }) => name);
  const sets = bySet(lines);
  return {
    forecasters,
    *reports() {
      for (const each of sets.values()) yield reportOf(each, forecasters);
    },
  };
}

/** In the order of their first lines. A line without a set is a report of its own. */
function bySet(lines: readonly ForecastLine[]): ReadonlyMap<string | number, ForecastLine[]> {
  const sets = new Map<string | number, ForecastLine[]>();
  for (const line of lines) {
    const key = line.set ?? line.number;
    const known = sets.get(key);
    if (known === undefined) sets.set(key, [line]);
    else known.push(line);
  }
  return sets;
}

const recordShape = z.array(z.string());

interface Line {
  /** Of the file, from 1. */
  readonly number: number;
  readonly record: readonly string[];
}

/** Turns each record into a line as it is read: those of a large file take several times its size. */
function readLines(text: string): { columns: Columns; lines: ForecastLine[] } {
  const lines: ForecastLine[] = [];
  let columns: Columns | null = null;
  const take = (record: unknown, { lines: number }: { lines: number }) => {
    const cells = recordShape.parse(record);
    if (columns === null) columns = readHeader(cells);
    else lines.push(readLine({ number, record: cells }, columns));
    return null;
  };
  try {
    parse(text, { bom: true, trim: true, skip_empty_lines: true, on_record: take });
  } catch (error) {
    if (error instanceof CsvError) {
      throw new Error(`The file is not a CSV table: ${error.message}.`, { cause: error });
    }
    throw error;
  }
  return { columns: columns ?? readHeader([]), lines };
}

const required = ['id', 'outcome', 'market'] as const;
/** In any place. They are no forecasters. */
const optional: readonly string[] = ['event', 'checkpoint', 'set', 'exclusive', 'market_at_close_1d'];
const closing = 'market_at_close_1d';
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
      `The first line must begin with ${required.join(',')} (${optional.join(', ')} are optional), followed by one column per forecaster; it is: ${names.join(',').slice(0, 200)}`,
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

interface ForecastLine {
  /** Of the file, from 1. */
  readonly number: number;
  readonly id: string;
  readonly event: string | null;
  readonly checkpoint: string | null;
  readonly set: string | null;
  readonly exclusive: boolean;
  readonly outcome: 0 | 1;
  readonly price: number | null;
  /** Undefined without the column. */
  readonly closingPrice: number | null | undefined;
  readonly forecasts: readonly (number | null)[];
}

function readLine({ number, record }: Line, { names, forecasters }: Columns): ForecastLine {
  const invalid = (column: string, rule: string) => mistake(number, column, rule);
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
  const binary = (name: string, rule: string): 0 | 1 => {
    const parsed = binaryShape.safeParse(cell(name));
    if (!parsed.success) throw invalid(name, rule);
    return parsed.data;
  };

  return {
    number,
    id: identifier('id'),
    event: names.includes('event') ? identifier('event') : null,
    checkpoint: cell('checkpoint') || null,
    set: cell('set') || null,
    exclusive: cell('exclusive') === '' || binary('exclusive', 'must be 0, 1 or empty') === 1,
    outcome: binary('outcome', 'must be 0 or 1, the answer of the question'),
    price: probability(cell('market'), 'market'),
    closingPrice: names.includes(closing) ? probability(cell(closing), closing) : undefined,
    forecasts: forecasters.map(({ name, index }) => probability(record[index] ?? '', name)),
  };
}

/** The report of the lines of one set, or of one line. */
function reportOf(lines: readonly ForecastLine[], forecasters: readonly string[]): ReadReport {
  const { id, event, checkpoint, set, exclusive } = at(lines, 0);
  if (set !== null) checkSet(lines);
  const closingPrices = lines.flatMap(({ closingPrice }) =>
    closingPrice === undefined ? [] : [closingPrice],
  );
  const report = {
    event: event ?? set ?? id,
    checkpoint,
    exclusive,
    markets: lines.map(({ id: name, outcome, price }) => ({ name, outcome, price })),
    forecasts: forecasters.map((_, column) => rowOf(lines, column)),
  };
  if (set !== null && exclusive) checkSums(report, lines, forecasters);
  return { report, id: set ?? id, closingPrices: closingPrices.length === 0 ? null : closingPrices };
}

/** A forecaster that leaves out a line of a set has forecast none of it: a report refuses such an answer. */
function rowOf(lines: readonly ForecastLine[], column: number): readonly number[] | null {
  const row = lines.map(({ forecasts }) => at(forecasts, column)).filter(p => p !== null);
  return row.length === lines.length ? row : null;
}

function checkSet(lines: readonly ForecastLine[]): void {
  const first = at(lines, 0);
  const named = new Set<string>();
  for (const line of lines) {
    for (const column of ['event', 'checkpoint', 'exclusive'] as const) {
      if (line[column] !== first[column])
        throw mistake(line.number, column, `must be the same in all lines of the set ${first.set}`);
    }
    if (named.has(line.id)) throw mistake(line.number, 'id', `is already in the set ${first.set}`);
    named.add(line.id);
  }
  if (lines.length < 2 || lines.length > outcomesMax) {
    throw mistake(
      first.number,
      'set',
      `a set has 2 to ${outcomesMax} lines; ${first.set} has ${lines.length}`,
    );
  }
  const happened = lines.filter(({ outcome }) => outcome === 1).length;
  if (first.exclusive && happened !== 1) {
    throw mistake(
      first.number,
      'outcome',
      `exactly one line of the set ${first.set} must be 1, not ${happened}`,
    );
  }
}

const sumTolerance = distributionSumTolerancePercent / 100;

function checkSums(
  { forecasts }: ResolvedReport,
  lines: readonly ForecastLine[],
  forecasters: readonly string[],
): void {
  for (const [column, row] of forecasts.entries()) {
    if (row === null || atLeast(sumTolerance, Math.abs(sum(row) - 1))) continue;
    const rule = `the probabilities of a set must add up to 1 ± ${sumTolerance}, not ${sum(row).toFixed(3)}`;
    throw mistake(at(lines, 0).number, at(forecasters, column), rule);
  }
}

function mistake(line: number, column: string, rule: string): Error {
  return new Error(`Line ${line}, column ${column}: ${rule}.`);
}

const decimal = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const binaryShape = z
  .string()
  .regex(decimal)
  .transform(Number)
  .pipe(z.union([z.literal(0), z.literal(1)]));

const probabilityShape = z.union([
  z.literal('').transform(() => null),
  z.string().regex(decimal).transform(Number).pipe(z.number().min(0).max(1)),
]);
