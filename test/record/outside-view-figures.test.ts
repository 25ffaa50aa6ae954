import { describe, expect, test } from '@jest/globals';
import type { RecordedForecast } from '../../record/recorded-forecast.js';
import { forecast, outcome, resolved, twoSided } from './grade-fixtures.js';
import { graded, of } from './graded-rows.js';

const view = (percent: number, name = 'Yes'): Partial<RecordedForecast> => ({
  outside_view: [{ outcome: name, probability: percent, members: ['claude', 'gpt'] }],
});

const rain = (
  council: number,
  market: number | null,
  more: Partial<RecordedForecast>,
  Rain: 'yes' | 'no' = 'yes',
) => graded(twoSided(council, market, {}, more), resolved({ Rain }));

describe('base rates alone', () => {
  test('are scored like a forecaster, beside the others on the same reports only', () => {
    const { outside_view: figures, council } = of([
      rain(80, 60, { event_id: 'e1', ...view(70) }),
      rain(40, null, { event_id: 'e2', ...view(50) }, 'no'),
      rain(10, 10, { event_id: 'e3' }),
    ]);
    expect(council.n).toBe(3);
    expect(figures.outside_view).toMatchObject({ n: 2, events: 2 });
    expect(figures.outside_view.brier).toBeCloseTo((2 * 0.3 ** 2 + 2 * 0.5 ** 2) / 2, 12);
    expect(figures.council.brier).toBeCloseTo((2 * 0.2 ** 2 + 2 * 0.4 ** 2) / 2, 12);
    expect(figures.market).toMatchObject({ n: 1 });
    expect(figures.difference.mean).toBeCloseTo((0.08 + 0.32) / 2 - (0.18 + 0.5) / 2, 12);
    expect(figures.difference.council_brier).toBe(figures.council.brier);
    expect(figures.difference.outside_view_brier).toBe(figures.outside_view.brier);
  });

  test('have one vote an event, and a sequence that includes no difference where there is none', () => {
    const { difference } = of([
      rain(70, 60, { event_id: 'e1', ...view(70) }),
      rain(70, 60, { event_id: 'e1', ...view(70) }),
      rain(70, 60, { event_id: 'e2', ...view(70) }, 'no'),
    ]).outside_view;
    expect(difference).toMatchObject({ n: 3, events: 2, mean: 0 });
    const [low = 0, high = 0] = difference.confidence_sequence_95 ?? [];
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  test.each<[string, RecordedForecast]>([
    ['of release 1.0.0', twoSided(70, 60)],
    ['whose members named no base rates', twoSided(70, 60, {}, { outside_view: [] })],
    [
      'on more than two outcomes, of which they name one',
      forecast([outcome('Rain', 50), outcome('Snow', 30), outcome('Sun', 20)], view(60, 'Rain')),
    ],
    [
      'on independent markets',
      forecast([outcome('Rain', 50), outcome('Snow', 30)], { exclusive: false, ...view(60, 'Rain') }),
    ],
  ])('are no forecast in a report %s', (_, recorded) => {
    const row = graded(recorded, resolved({ Rain: 'yes', Snow: 'no', Sun: 'no' }));
    const { outside_view: figures } = of([row]);
    expect(figures.outside_view).toMatchObject({ brier: null, n: 0 });
    expect(figures.difference).toMatchObject({ n: 0, mean: null, confidence_sequence_95: null });
  });
});
