import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import {
  type Evaluation,
  evaluate,
  type Graded,
  type ResolvedQuestion,
} from '../../council/track-record/evaluate.js';
import type { Output } from '../terminal/output.js';

/** Grades the council's method on a file of answered questions: the figures as JSON, and a table for people. */
export function evaluateForecasts(output: Output, file: string): void {
  const { forecasters, questions } = readForecasts(readText(file));
  const evaluation = evaluate(forecasters, questions);
  for (const line of table(evaluation)) output.progress(line);
  output.result(evaluation, JSON.stringify(evaluation, null, 2));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function table(evaluation: Evaluation): string[] {
  const { council, market, blend, headline, mean, forecasters } = evaluation;
  const rows = Object.entries({ council, market, blend, headline, mean, ...forecasters });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${evaluation.questions} questions, method ${evaluation.method}, ${evaluation.conflicts} in conflict with the market, ${evaluation.below_quorum} without a council`,
    `${''.padEnd(width)}       n   Brier  95 %               minus market, 95 %`,
    ...rows.map(([name, graded]) => `${name.padEnd(width)}  ${figures(graded)}`),
  ];
}

function figures({ n, brier, brier_interval_95: interval, minus_market: gap }: Graded): string {
  const count = String(n).padStart(6);
  if (brier === null) return `${count}  none`;
  const beside = gap === null ? '' : `  ${signed(gap.brier)}  ${range(gap.interval_95, signed)}`;
  return `${count}  ${plain(brier)}  ${range(interval, plain)}${beside}`;
}

function range(interval: readonly [number, number] | null, show: (value: number) => string): string {
  return interval === null ? 'no interval' : `${show(interval[0])} to ${show(interval[1])}`;
}

function plain(value: number): string {
  return value.toFixed(4);
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`;
}

export interface ForecastTable {
  readonly forecasters: readonly string[];
  readonly questions: readonly ResolvedQuestion[];
}

/**
 * Reads a table `id,outcome,market,` and one column a forecaster: an answered yes/no question a line,
 * probabilities from 0 to 1, empty where there is none.
 * @throws Error that says in which line and column what is wrong: no line is ever left out silently
 */
export function readForecasts(text: string): ForecastTable {
  const [header, ...lines] = readLines(text);
  const forecasters = readHeader(header?.record ?? []);
  if (lines.length === 0) throw new Error('The file has a header and no questions.');
  return { forecasters, questions: lines.map(line => readQuestion(line, forecasters)) };
}

const leading = ['id', 'outcome', 'market'] as const;
const forecastersMin = 2;

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

function readHeader(names: readonly string[]): readonly string[] {
  if (!leading.every((name, index) => names[index] === name)) {
    throw new Error(
      `The first line must begin with ${leading.join(',')}, followed by a column a forecaster; it is: ${names.join(',').slice(0, 200)}`,
    );
  }
  const forecasters = names.slice(leading.length);
  if (forecasters.length < forecastersMin) {
    throw new Error(
      `A council needs at least ${forecastersMin} forecasters; the file has ${forecasters.length}.`,
    );
  }
  if (forecasters.includes('') || new Set(forecasters).size < forecasters.length) {
    throw new Error('Every forecaster needs a name of its own in the first line.');
  }
  return forecasters;
}

function readQuestion({ record, info }: Line, forecasters: readonly string[]): ResolvedQuestion {
  const [id = '', outcome = '', market = '', ...forecasts] = record;
  const wrong = (column: string, must: string): Error =>
    new Error(`Line ${info.lines}, column ${column}: ${must}.`);
  if (id === '') throw wrong('id', 'must not be empty');
  const answer = outcomeShape.safeParse(outcome);
  if (!answer.success) throw wrong('outcome', 'must be 0 or 1, what the answer turned out to be');

  const probability = (text: string, column: string): number | null => {
    const parsed = probabilityShape.safeParse(text);
    if (!parsed.success) throw wrong(column, 'must be a probability from 0 to 1, or empty');
    return parsed.data;
  };
  return {
    id,
    outcome: answer.data,
    market: probability(market, 'market'),
    forecasts: forecasters.map((name, index) => probability(forecasts[index] ?? '', name)),
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
