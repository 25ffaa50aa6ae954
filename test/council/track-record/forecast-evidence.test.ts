import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readForecasts } from '../../../cli/commands/evaluate-forecasts.js';
import { evaluate } from '../../../council/track-record/evaluate.js';

/**
 * Real resolved questions, read from outside the project because they may not be copied into it. The expected
 * figures are those of the data's own README, computed there without this code.
 */
const folder = '../shared/data/forecasts';
const describeWithData = existsSync(folder) ? describe : describe.skip;

function readFile(file: string) {
  return readForecasts(readFileSync(`${folder}/${file}`, 'utf8'));
}

function evaluateFile(file: string) {
  const { forecasters, questions } = readFile(file);
  return evaluate(forecasters, questions);
}

describeWithData('on 1,943 forecasts of 531 questions (Halawi 2024)', () => {
  let evaluation: ReturnType<typeof evaluate> | undefined;
  const halawi = () => {
    evaluation ??= evaluateFile('halawi2024-train.csv');
    return evaluation;
  };

  test('the council scores as the mean of logits does, and beats the arithmetic mean', () => {
    const { council, mean } = halawi();
    expect(council.n).toBe(1_943);
    expect(council.brier).toBeCloseTo(0.1765, 4);
    expect(mean.brier).toBeCloseTo(0.1775, 4);
    expect(mean.minus_council?.interval_95?.[0]).toBeGreaterThan(0);
  });

  test('a blend of 20 % council and 80 % market beats the market alone by more than chance', () => {
    const { market, blend } = halawi();
    expect(market.brier).toBeCloseTo(0.1551, 4);
    expect(blend.brier).toBeCloseTo(0.1506, 4);
    expect(blend.minus_market?.interval_95?.[1]).toBeLessThan(0);
  });

  test('following the market in conflict makes the headline better than the council by more than chance', () => {
    const { conflicts, headline } = halawi();
    expect(conflicts).toBe(542);
    expect(headline.brier).toBeCloseTo(0.1603, 4);
    expect(headline.minus_council?.interval_95?.[1]).toBeLessThan(0);
  });

  test('intervals treat the checkpoints of one question as one piece of evidence', () => {
    const { forecasters, questions } = readFile('halawi2024-train.csv');
    const { council } = halawi();
    expect(forecasters).toEqual(['base1', 'base2', 'base3', 'ft1', 'fto1', 'fto2', 'fto3']);
    expect(new Set(questions.map(({ event }) => event)).size).toBe(531);
    const byRow = evaluate(
      forecasters,
      questions.map(({ id, outcome, market, forecasts }) => ({ id, outcome, market, forecasts })),
    );
    expect(byRow.council.brier).toBe(council.brier);
    expect(width(council.brier_interval_95)).toBeGreaterThan(1.5 * width(byRow.council.brier_interval_95));
  });
});

describeWithData('on 167 questions with four models (Lu 2025)', () => {
  test('the council scores as the mean of logits does', () => {
    expect(evaluateFile('lu2025-even.csv').council.brier).toBeCloseTo(0.1907, 4);
  });

  test('a forecaster is scored only on the questions that it answered', () => {
    const { forecasters } = evaluateFile('lu2025-even.csv');
    expect(forecasters['gpt4o']?.n).toBe(167);
    expect(forecasters['deepseekv3']?.n).toBeLessThan(167);
  });
});

function width(interval: readonly [number, number] | null): number {
  return interval === null ? Number.NaN : interval[1] - interval[0];
}
