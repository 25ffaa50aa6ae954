import { describe, expect, test } from '@jest/globals';
import type { Resolution } from '../../council/event.js';
import { seededRandom } from '../../council/random.js';
import { type GradedRow, trackRecordBuilder } from '../../record/figures/track-record.js';
import type { RecordedForecast } from '../../record/recorded-forecast.js';
import { bet, forecast, outcome, resolved, twoSided } from './grade-fixtures.js';
import { asOf, counts, events, graded, of, rain } from './graded-rows.js';

describe('a track record', () => {
  test('without reports has all groups and no figures', () => {
    const empty = of([]);
    const none = { as_of: asOf, counts, events: 0, skill: null, blend: { brier: null, n: 0 } };
    expect(empty).toMatchObject(none);
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
      confidence_sequence_95: null,
      council_brier: null,
      market_brier: null,
    });
  });

  test('includes a void report only in its counts', () => {
    const row: GradedRow = {
      forecast: twoSided(70, 60),
      state: 'void',
      scores: null,
      resolvedAt: new Date(asOf),
      rulesChanged: false,
    };
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

  test('gives each event one vote, the mean of its reports, and its first report alone as well', () => {
    const repeats = [80, 20, 20].map(council => rain(council, 50, 'yes'));
    const record = of([...repeats, rain(60, 50, 'yes', { event_id: 'e2' })]);
    const both = { n: 4, events: 2 };
    expect(record).toMatchObject({ events: 2, council: both, paired_difference: both });
    expect(record.council.brier).toBeCloseTo(((0.08 + 1.28 + 1.28) / 3 + 0.32) / 2, 12);
    expect(record.paired_difference.mean).toBeCloseTo(((0.08 + 1.28 + 1.28) / 3 + 0.32) / 2 - 0.5, 12);
    expect(record.first_report_per_event.council.n).toBe(2);
    expect(record.first_report_per_event.council.brier).toBeCloseTo((0.08 + 0.32) / 2, 12);
  });

  test('has a second figure without the reports whose rules were changed', () => {
    const kept = [rain(80, 50, 'yes'), rain(60, 50, 'no', { event_id: 'e2' })];
    const changed = { ...rain(10, 50, 'yes', { event_id: 'e3' }), rulesChanged: true };
    const { council, market, paired_difference } = of(kept);
    const record = of([...kept, changed]);
    expect(record.rules_unchanged).toEqual({ council, market, paired_difference });
    expect(record.council.n).toBe(3);
  });

  test('300 purchases of one event move every figure as one', () => {
    const bets = [bet('Rain', { win_probability: 55 })];
    const more = { bets, degraded: true, conflict: true };
    const others = events(40, 70, 55, 6);
    const bought = (times: number) =>
      of([...others, ...Array.from({ length: times }, () => rain(5, 60, 'yes', { event_id: 'x', ...more }))]);
    const withoutCounts = (record: unknown) =>
      JSON.parse(JSON.stringify(record), (key, value: unknown) => {
        if (key === 'n' || key === 'verdict_text') return undefined;
        return typeof value === 'number' ? Number(value.toFixed(9)) : value;
      });
    expect(withoutCounts(bought(300))).toEqual(withoutCounts(bought(1)));
    expect(withoutCounts(bought(1))).not.toEqual(withoutCounts(of(others)));
    expect(bought(300).council).toMatchObject({ n: 340, events: 41 });
  });

  test('compares the estimate with the market, and the council with its first opinions, where there are both', () => {
    const base = twoSided(70, 60);
    const recorded = base.outcomes.map((outcome, index) => ({
      ...outcome,
      estimate: index === 0 ? 65 : 35,
      first_council: 50,
    }));
    const row = (outcomes: RecordedForecast['outcomes'], event_id: string) =>
      graded({ ...base, event_id, outcomes }, resolved({ Rain: 'yes' }));
    const withoutEstimate = base.outcomes.map(outcome => ({ ...outcome, estimate: null }));
    const record = of([row(recorded, 'e1'), row(recorded, 'e1'), row(withoutEstimate, 'e2')]);
    expect(record.estimate).toMatchObject({ n: 2, events: 1 });
    expect(record.estimate.brier).toBeCloseTo(2 * 0.35 ** 2, 12);
    expect(record.estimate_difference).toMatchObject({ n: 2, events: 1, market_brier: 2 * 0.4 ** 2 });
    expect(record.estimate_difference.mean).toBeCloseTo(2 * 0.35 ** 2 - 2 * 0.4 ** 2, 12);
    expect(record.review).toMatchObject({ n: 3, events: 2 });
    expect(record.review.mean).toBeCloseTo((2 * 0.3 ** 2 - 0.5) / 2, 12);
    expect(record.council.n).toBe(3);
  });

  test('allows for the number of slices in the sequences of each set', () => {
    const record = of(events(40, 70, 50, 6));
    const slice = record.by_action.SKIP.paired_difference;
    const widthOf = ({ confidence_sequence_95: sequence }: typeof slice) =>
      sequence === null ? Number.NaN : sequence[1] - sequence[0];
    expect(slice.mean).toBe(record.paired_difference.mean);
    expect(slice.interval_95).toEqual(record.paired_difference.interval_95);
    expect(widthOf(slice)).toBeGreaterThan(widthOf(record.paired_difference));
    expect(widthOf(record.by_flag.no_conflict.paired_difference)).toBeGreaterThan(widthOf(slice));
    expect(record.slice_adjustment).toEqual({
      by_model: 'none',
      by_action: 'bonferroni',
      by_flag: 'bonferroni',
      by_evidence: 'bonferroni',
      by_category: 'bonferroni',
      bets_by_kind: 'bonferroni',
      left_out: 'bonferroni',
      wealth: 'none',
    });
  });

  test('describes thousands of events by an interval as wide as theirs', () => {
    const next = seededRandom('thousands of events');
    const rows = Array.from({ length: 3_000 }, (_, index) =>
      rain(70, 50, next() < 0.6 ? 'yes' : 'no', { event_id: `e${index}` }),
    );
    const [low, high] = of(rows).paired_difference.interval_95 ?? [0, 0];
    // The differences are −0.32 in about six of ten and +0.48 in four.
    const error = (0.8 * Math.sqrt(0.24)) / Math.sqrt(3_000);
    expect(Math.abs((high - low) / (2 * 1.96 * error) - 1)).toBeLessThan(0.1);
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
    const onlyGrok = graded(twoSided(60, 50, { grok: 70 }), resolved({ Rain: 'yes' }));
    const { by_model: by } = of([rain(80, 50, 'yes'), onlyGrok]);
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

  test('gives each event one vote in a bin, however many of its outcomes are in it', () => {
    const cup = [outcome('A', 3), outcome('B', 5), outcome('C', 92)];
    const bin = of([graded(forecast(cup), resolved({ B: 'yes' })), rain(1, 50, 'no', { event_id: 'e2' })])
      .calibration[0];
    expect(bin).toMatchObject({ n: 3, events: 2, share_happened: 0.25 });
    expect(bin?.mean_probability).toBeCloseTo((0.04 + 0.01) / 2, 12);
    // Wilson's interval of half a success in two trials.
    expect(bin?.interval_95?.[1]).toBeCloseTo(0.8021, 4);
  });

  test('puts a round percent into the bin that begins with it, and 100 % into the last', () => {
    const percents = [0, 10, 29.9, 30, 70, 99.9, 100];
    expect(bins(percents.map(percent => rain(percent, 50, 'yes')))).toEqual([1, 1, 1, 1, 0, 0, 0, 1, 0, 2]);
  });

  test('counts all outcomes of an exclusive event, and the graded ones of independent markets', () => {
    const cup = [outcome('A', 60), outcome('B', 30), outcome('C', 10)];
    const exclusive = graded(forecast(cup), resolved({ B: 'yes' }));
    const each = resolved({ A: 'yes', B: 'void', C: 'no' });
    const independent = graded(forecast(cup, { exclusive: false }), each);
    expect(bins([exclusive])).toEqual([0, 1, 0, 1, 0, 0, 1, 0, 0, 0]);
    expect(bins([independent])).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 0, 0]);
  });

  test('has the share that happened, its interval and the number of events', () => {
    const bin = of([...events(11, 70, 50, 7), rain(70, 50, 'yes', { event_id: 'e0' })]).calibration[7];
    expect(bin).toMatchObject({ n: 12, events: 11, share_happened: 8 / 11 });
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
  const bets = [bet('Rain', { payout_per_dollar: 1.5 }), bet('Rain', { side: 'BUY_NO', kind: 'pick' })];

  test('are averaged by kind and in total, one dollar each', () => {
    expect(of([rain(80, 50, 'yes', { bets })]).bets).toMatchObject({
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

  test('that claimed a win probability are compared with what came of them, each event with one vote', () => {
    const claimed = (win_probability: number, event_id: string, Rain: Resolution) =>
      rain(80, 50, Rain, { event_id, bets: [bet('Rain', { payout_per_dollar: 1.5, win_probability })] });
    const rows = [claimed(70, 'e1', 'yes'), claimed(50, 'e1', 'yes'), claimed(60, 'e2', 'no')];
    const { claims, n } = of(rows).bets;
    expect(n).toBe(3);
    expect(claims).toMatchObject({ n: 3, events: 2, actual_win_rate: 0.5, actual_return_per_dollar: 0.25 });
    expect(claims.claimed_win_rate).toBeCloseTo(0.6, 12);
    expect(claims.mean).toBeCloseTo(-0.1, 12);
    expect(claims.claimed_return_per_dollar).toBeCloseTo(0.6 * 2.5 - 1, 12);
    expect(claims.confidence_sequence_95?.[0]).toBeLessThan(-0.1);
  });

  test('whose stake was returned are not counted', () => {
    const cup = forecast([outcome('A', 60), outcome('B', 40)], { bets: [bet('B')] });
    expect(of([graded(cup, resolved({ A: 'yes', B: 'void' }))]).bets).toMatchObject({ n: 0, events: 0 });
  });
});
