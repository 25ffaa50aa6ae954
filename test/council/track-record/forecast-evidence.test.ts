import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readForecasts } from '../../../cli/commands/evaluate-forecasts.js';
import { evaluate } from '../../../council/track-record/evaluate.js';

/** Real resolved questions; they may not be copied into the project, so they are read where they are kept. */
const folder = '../shared/data/forecasts';
const describeWithData = existsSync(folder) ? describe : describe.skip;

function evaluateFile(file: string) {
  const { forecasters, questions } = readForecasts(readFileSync(`${folder}/${file}`, 'utf8'));
  return evaluate(forecasters, questions);
}

describeWithData('on real forecasts (skipped where ../shared/data/forecasts is absent)', () => {
  test('the council is as good as the mean of logits is known to be', () => {
    const { council, mean } = evaluateFile('halawi2024-even.csv');
    expect(council.n).toBe(1_924);
    expect(council.brier).toBeLessThanOrEqual(0.1805);
    expect(council.brier).toBeLessThan(mean.brier ?? 0);
    expect(Math.abs((evaluateFile('lu2025-even.csv').council.brier ?? 0) - 0.1907)).toBeLessThan(0.0005);
  });

  test('a fifth of council in the market beats the market alone, by more than chance', () => {
    const { market, blend } = evaluateFile('halawi2024-even.csv');
    expect(market.brier).toBeCloseTo(0.1473, 4);
    expect(blend.brier).toBeLessThanOrEqual(0.1455);
    expect(blend.minus_market?.interval_95?.[1]).toBeLessThan(0);
  });

  test('giving way to the market in conflict makes the headline better than the council, by more than chance', () => {
    const { headline } = evaluateFile('halawi2024-even.csv');
    expect(headline.brier).toBeLessThanOrEqual(0.156);
    expect(headline.minus_council?.interval_95?.[1]).toBeLessThan(0);
  });

  test('members who answered less often are left out where they said nothing', () => {
    const { forecasters } = evaluateFile('lu2025-even.csv');
    expect(forecasters['gpt4o']?.n).toBe(167);
    expect(forecasters['deepseekv3']?.n).toBeLessThan(167);
  });
});
