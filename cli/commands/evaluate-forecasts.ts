import { readFileSync } from 'node:fs';
import { type Evaluation, evaluate, type Graded } from '../../council/evaluate.js';
import type { Output } from '../output.js';
import { readForecasts } from '../read-forecasts.js';

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
