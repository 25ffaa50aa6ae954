import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { ResolvedQuestion } from '../council/evaluate.js';

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
