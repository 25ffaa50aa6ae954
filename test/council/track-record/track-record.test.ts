import { describe, expect, test } from '@jest/globals';
import type { Resolution } from '../../../council/event.js';
import { gradeForecast } from '../../../council/track-record/grade.js';
import type { RecordedForecast } from '../../../council/track-record/recorded-forecast.js';
import {
  type Counts,
  type GradedRow,
  trackRecord,
  trackRecordBuilder,
} from '../../../council/track-record/track-record.js';
import { bet, forecast, outcome, resolved, twoSided } from './grade-fixtures.js';

const counts: Counts = {
  completed: 9,
  graded: 5,
  pending: 1,
  void: 1,
  fifty_fifty: 1,
  disputed: 1,
  failed: 2,
};
const asOf = '2031-03-05T12:00:00.000Z';
const of = (rows: readonly GradedRow[]) => trackRecord(rows, counts, asOf);

const rain = (
  council: number,
  market: number | null,
  Rain: Resolution,
  more: Partial<RecordedForecast> = {},
) => graded(twoSided(council, market, { claude: council, gpt: council }, more), resolved({ Rain }));

function graded(row: RecordedForecast, outcomes: Readonly<Record<string, Resolution>>): GradedRow {
  const grade = gradeForecast(row, outcomes);
  if (grade === 'pending') throw new Error('not graded');
  return { forecast: row, ...grade };
}

/** Events with one report each, of which `wins` in ten resolve YES. */
const events = (count: number, council: number, market: number, wins: number) =>
  Array.from({ length: count }, (_, index) =>
    rain(council, market, index % 10 < wins ? 'yes' : 'no', { event_id: `e${index}` }),
  );

describe('a track record', () => {
  test('without reports has all groups and no figures', () => {
    const empty = of([]);
    expect(empty).toMatchObject({
      as_of: asOf,
      counts,
      events: 0,
      skill: null,
      blend: { brier: null, n: 0 },
    });
    expect(empty.calibration).toHaveLength(10);
    expect(empty.calibration[3]).toEqual({
      from: 0.3,
      to: 0.4,
      n: 0,
      events: 0,
      mean_probability: null,
      share_happened: null,
      interval_95: null,
    });
    expect(Object.keys(empty.by_model)).toEqual(['claude', 'gpt', 'gemini', 'grok', 'mean']);
    expect(empty.by_action.SKIP.paired_difference).toEqual({
      n: 0,
      events: 0,
      mean: null,
      interval_95: null,
      council_brier: null,
      market_brier: null,
    });
  });

  test('includes a void report only in its counts', () => {
    const row: GradedRow = { forecast: twoSided(70, 60), state: 'void', scores: null };
    expect(of([row])).toEqual(of([]));
  });

  test('compares council and market only on reports that score both, and states how many', () => {
    const record = of([rain(80, 60, 'yes'), rain(80, null, 'no', { event_id: 'e2' })]);
    expect(record.council.n).toBe(2);
    expect(record.market.n).toBe(1);
    expect(record.paired_difference).toMatchObject({ n: 1, events: 1, interval_95: null });
    expect(record.paired_difference.mean).toBeCloseTo(2 * 0.2 ** 2 - 2 * 0.4 ** 2, 12);
    expect(record.skill).toBeCloseTo(1 - 0.08 / 0.32, 12);
  });

  test('has no skill against a market that was never wrong', () => {
    expect(of([rain(80, 100, 'yes')]).skill).toBeNull();
  });

  test('counts reports of one event as one piece of evidence, and its first report alone as well', () => {
    const repeats = [80, 20, 20].map(council => rain(council, 50, 'yes'));
    const record = of([...repeats, rain(60, 50, 'yes', { event_id: 'e2' })]);
    expect(record).toMatchObject({ events: 2, council: { n: 4 }, paired_difference: { n: 4, events: 2 } });
    expect(record.first_report_per_event.council.n).toBe(2);
    expect(record.first_report_per_event.council.brier).toBeCloseTo((0.08 + 0.32) / 2, 12);
  });

  test('splits by action and by flag, with every report once in each', () => {
    const record = of([
      rain(80, 50, 'yes', { action: 'BUY_YES', degraded: true }),
      rain(80, 50, 'no', { action: 'SKIP', conflict: true }),
      rain(30, 50, 'no', { action: 'BUY_NO' }),
    ]);
    const n = ({ council }: { council: { n: number } }) => council.n;
    expect(Object.values(record.by_action).map(n)).toEqual([1, 1, 1]);
    expect(Object.values(record.by_flag).map(n)).toEqual([1, 2, 1, 2]);
  });

  test('counts a member only where it had a forecast', () => {
    const record = of([
      rain(80, 50, 'yes'),
      graded(twoSided(60, 50, { grok: 70 }), resolved({ Rain: 'yes' })),
    ]);
    const { by_model: by } = record;
    expect([by.claude.n, by.gpt.n, by.gemini.n, by.grok.n, by.mean.n]).toEqual([1, 1, 0, 1, 2]);
  });

  test('is the same for rows added one by one or at once', () => {
    const rows = events(40, 70, 55, 6);
    const streamed = trackRecordBuilder();
    for (const row of rows) streamed.add(row);
    expect(streamed.finish(counts, asOf)).toEqual(of(rows));
    expect(of(rows)).toEqual(of(rows));
  });
});

describe('calibration', () => {
  const bins = (rows: readonly GradedRow[]) => of(rows).calibration.map(({ n }) => n);

  test('counts the YES of a single market and not its NO', () => {
    expect(bins([rain(70, 50, 'yes')])).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  });

  test('puts a round percent into the bin that begins with it, and 100 % into the last', () => {
    const percents = [0, 10, 29.9, 30, 70, 99.9, 100];
    expect(bins(percents.map(percent => rain(percent, 50, 'yes')))).toEqual([1, 1, 1, 1, 0, 0, 0, 1, 0, 2]);
  });

  test('counts all outcomes of an exclusive event, and the graded ones of independent markets', () => {
    const cup = [outcome('A', 60), outcome('B', 30), outcome('C', 10)];
    const exclusive = graded(forecast(cup), resolved({ B: 'yes' }));
    const independent = graded(
      forecast(cup, { exclusive: false }),
      resolved({ A: 'yes', B: 'void', C: 'no' }),
    );
    expect(bins([exclusive])).toEqual([0, 1, 0, 1, 0, 0, 1, 0, 0, 0]);
    expect(bins([independent])).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 0, 0]);
  });

  test('has the share that happened, its interval and the number of events', () => {
    const bin = of([...events(10, 70, 50, 7), rain(70, 50, 'yes', { event_id: 'e0' })]).calibration[7];
    expect(bin).toMatchObject({ n: 11, events: 10, share_happened: 8 / 11 });
    expect(bin?.mean_probability).toBeCloseTo(0.7, 12);
    // Wilson's interval of 8 in 11, from a table.
    expect(bin?.interval_95?.[0]).toBeCloseTo(0.4344, 4);
    expect(bin?.interval_95?.[1]).toBeCloseTo(0.9025, 4);
  });

  test('has an interval within 0 and 1 for shares of 0 and 1', () => {
    const [low = 0, high = 0] = of(events(10, 95, 50, 10)).calibration[9]?.interval_95 ?? [];
    expect(low).toBeCloseTo(0.7225, 4);
    expect(high).toBeCloseTo(1, 12);
    expect(high).toBeLessThanOrEqual(1);
    expect(of(events(10, 5, 50, 0)).calibration[0]?.interval_95?.[0]).toBe(0);
  });
});

describe('bets', () => {
  const bets = [
    bet('Rain', { market_id: 'm-Rain', payout_per_dollar: 1.5 }),
    bet('Rain', { market_id: 'm-Rain', side: 'BUY_NO', kind: 'pick' }),
  ];

  test('are summed by kind and in total, one dollar each', () => {
    expect(of([rain(80, 50, 'yes', { bets })]).bets).toEqual({
      n: 2,
      events: 1,
      mean_return_per_dollar: 0.25,
      interval_95: null,
      by_kind: {
        edge: { n: 1, events: 1, mean_return_per_dollar: 1.5, interval_95: null },
        pick: { n: 1, events: 1, mean_return_per_dollar: -1, interval_95: null },
      },
    });
  });

  test('whose stake was returned are not counted', () => {
    const cup = forecast([outcome('A', 60), outcome('B', 40)], { bets: [bet('B')] });
    expect(of([graded(cup, resolved({ A: 'yes', B: 'void' }))]).bets).toMatchObject({ n: 0, events: 0 });
  });
});

describe('the verdict', () => {
  const verdictOf = (rows: readonly GradedRow[]) => of(rows).verdict_text;

  test('says "collecting" below 30 events with a market price', () => {
    expect(verdictOf([])).toMatch(/^Still collecting: 0 events/);
    expect(verdictOf([rain(80, 50, 'yes')])).toMatch(/^Still collecting: 1 event graded/);
    expect(verdictOf(events(29, 95, 50, 10))).toMatch(/^Still collecting: 29 events.* 30 are needed/);
    expect(verdictOf(events(30, 95, 50, 10))).not.toContain('collecting');
  });

  test('ignores further reports of an event and events without a price', () => {
    const repeats = Array.from({ length: 100 }, () => rain(95, 50, 'yes'));
    expect(verdictOf(repeats)).toMatch(/^Still collecting: 1 event /);
    const unpriced = Array.from({ length: 40 }, (_, index) =>
      rain(95, null, 'yes', { event_id: `e${index}` }),
    );
    expect(verdictOf(unpriced)).toMatch(/^Still collecting: 0 events/);
  });

  test('says better or worse, and over how many, if the interval excludes 0', () => {
    expect(verdictOf(events(30, 95, 50, 10))).toMatch(
      / better than the market's over 30 reports of 30 events/,
    );
    expect(verdictOf(events(30, 95, 50, 0))).toMatch(/ worse than the market's over 30 reports of 30 events/);
  });

  test('says not distinguishable while the interval includes 0', () => {
    expect(verdictOf(events(40, 70, 50, 6))).toContain(
      'not distinguishable from the market over 40 reports of 40',
    );
    expect(verdictOf(events(40, 60, 60, 6))).toContain('not distinguishable from the market');
  });

  test('mentions returns only with their uncertainty', () => {
    const staked = (payout: number, wins: number) =>
      events(30, 95, 50, wins).map(row => {
        const bets = [bet('Rain', { market_id: 'm-Rain', payout_per_dollar: payout })];
        return graded(
          { ...row.forecast, bets },
          resolved({ Rain: row.scores?.outcomes[0]?.happened ? 'yes' : 'no' }),
        );
      });
    expect(verdictOf(staked(1, 5))).toContain('return of 30 bets is not distinguishable from 0');
    expect(verdictOf(staked(1, 10))).toContain('return of 30 bets is for small stakes at the prices named');
    expect(verdictOf(staked(1, 0))).toContain('return of 30 bets is for small stakes at the prices named');
    expect(verdictOf(events(30, 95, 50, 10))).not.toContain('return of');
    expect(verdictOf(staked(1, 10).slice(0, 29))).not.toContain('return of');
  });

  test('always states what it does not show', () => {
    for (const rows of [[], events(30, 95, 50, 10), events(40, 70, 50, 6)]) {
      expect(verdictOf(rows)).toMatch(/None of this says how any single forecast will turn out\.$/);
    }
  });
});
