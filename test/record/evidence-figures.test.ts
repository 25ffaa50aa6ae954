import { describe, expect, test } from '@jest/globals';
import type { EvidenceStatus } from '../../council/evidence.js';
import type { RecordedForecast } from '../../record/recorded-forecast.js';
import { forecast, outcome, resolved } from './grade-fixtures.js';
import { graded, of, rain } from './graded-rows.js';

const found = (status: EvidenceStatus): Pick<RecordedForecast, 'evidence'> => ({
  evidence: { status, items: status === 'none' ? 0 : 3, sha256: 'e'.repeat(64) },
});

describe('the track record by evidence', () => {
  test('has every report in one group: by how its searches ended, or as one that nobody searched for', () => {
    const { by_evidence: by } = of([
      rain(80, 60, 'yes', { event_id: 'e1', ...found('searched') }),
      rain(80, 60, 'yes', { event_id: 'e1', ...found('searched') }),
      rain(70, 60, 'yes', { event_id: 'e2', ...found('partial') }),
      rain(70, 60, 'no', { event_id: 'e3', ...found('none') }),
      rain(70, null, 'no', { event_id: 'e4', record: 'record/1', evidence: null }),
      rain(70, 60, 'no', { event_id: 'e5', record: 'record/1' }),
      rain(70, 60, 'no', { event_id: 'e6' }),
    ]);
    const counted = Object.entries(by).map(([name, { council, market }]) => [name, council.n, market.n]);
    expect(counted).toEqual([
      ['searched', 2, 2],
      ['partial', 1, 1],
      ['none', 1, 1],
      ['not_searched', 3, 2],
    ]);
    expect(by.searched.paired_difference.mean).toBeCloseTo(2 * 0.2 ** 2 - 2 * 0.4 ** 2, 12);
    expect(by.not_searched.market_distance_points).toMatchObject({ n: 2, events: 2 });
  });

  test('gives the distance to the market in points, each event with one vote', () => {
    const { searched } = of([
      ...[50, 52, 54].map(council => rain(council, 50, 'yes', { event_id: 'e1', ...found('searched') })),
      rain(30, 50, 'yes', { event_id: 'e2', ...found('searched') }),
    ]).by_evidence;
    const { interval_95, ...distance } = searched.market_distance_points;
    expect(distance).toEqual({ n: 4, events: 2, mean: (2 + 20) / 2 });
    expect(interval_95).toEqual([2, 20]);
  });

  test('measures a distance that does not shrink with the number of outcomes', () => {
    const cup = [outcome('A', 60, 50), outcome('B', 30, 36), outcome('C', 10, 14), outcome('D', 0, 0)];
    const exclusive = graded(forecast(cup, found('searched')), resolved({ B: 'yes' }));
    expect(of([exclusive]).by_evidence.searched.market_distance_points.mean).toBeCloseTo(10, 12);
    const independent = graded(
      forecast(cup.slice(0, 3), { exclusive: false, ...found('searched') }),
      resolved({ A: 'yes', B: 'void', C: 'no' }),
    );
    expect(of([independent]).by_evidence.searched.market_distance_points.mean).toBeCloseTo((10 + 4) / 2, 12);
  });

  test('has no distance where the market had no price', () => {
    const { searched } = of([rain(80, null, 'yes', found('searched'))]).by_evidence;
    expect(searched.council.n).toBe(1);
    expect(searched.market_distance_points).toEqual({ n: 0, events: 0, mean: null, interval_95: null });
  });

  test('allows for four slices in its sequences', () => {
    const rows = Array.from({ length: 40 }, (_, index) => rain(70, 50, 'yes', { event_id: `e${index}` }));
    const { by_evidence: by, by_flag: flag, slice_adjustment: adjustment } = of(rows);
    expect(by.not_searched.paired_difference).toEqual(flag.no_conflict.paired_difference);
    expect(adjustment.by_evidence).toBe('bonferroni');
  });
});
