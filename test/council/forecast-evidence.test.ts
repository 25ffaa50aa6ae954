import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { blend } from '../../council/blend.js';
import { pool } from '../../council/pool.js';

/** Real resolved questions; they may not be copied into the project, so they are read where they are kept. */
const folder = '../shared/data/forecasts';
const describeWithData = existsSync(folder) ? describe : describe.skip;

describeWithData('on real forecasts (skipped where ../shared/data/forecasts is absent)', () => {
  test('the council is as good as the mean of logits is known to be', () => {
    expect(brier('halawi2024-even.csv', ({ forecasts }) => council(forecasts))).toBeLessThanOrEqual(0.1805);
    expect(Math.abs(brier('lu2025-even.csv', ({ forecasts }) => council(forecasts)) - 0.1907)).toBeLessThan(
      0.0005,
    );
  });

  test('a fifth of council in the market beats the market alone', () => {
    const market = brier('halawi2024-even.csv', row => row.market);
    const blended = brier(
      'halawi2024-even.csv',
      row => blend([council(row.forecasts)], [row.market], false)[0] ?? 0,
    );
    expect(market).toBeCloseTo(0.1473, 4);
    expect(blended).toBeLessThanOrEqual(0.1455);
  });
});

interface Row {
  readonly outcome: number;
  readonly market: number;
  readonly forecasts: readonly number[];
}

/** By the code that pools live reports. */
function council(forecasts: readonly number[]): number {
  return (
    pool(
      forecasts.map(p => [p]),
      { exclusive: false },
    )[0] ?? Number.NaN
  );
}

function brier(file: string, forecast: (row: Row) => number): number {
  const [, ...lines] = readFileSync(`${folder}/${file}`, 'utf8').trim().split(/\r?\n/);
  const rows = lines.map(line => {
    const [, outcome, market, ...forecasts] = line.split(',');
    return {
      outcome: Number(outcome),
      market: Number(market),
      forecasts: forecasts.filter(Boolean).map(Number),
    };
  });
  return rows.reduce((sum, row) => sum + (forecast(row) - row.outcome) ** 2, 0) / rows.length;
}
