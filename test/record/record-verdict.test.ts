import { describe, expect, test } from '@jest/globals';
import type { GradedRow } from '../../record/figures/track-record.js';
import { bet, resolved } from './grade-fixtures.js';
import { events, graded, of, rain } from './graded-rows.js';

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

  test('says better or worse, and over how many, if the sequence excludes 0', () => {
    expect(verdictOf(events(40, 95, 50, 10))).toMatch(
      / better than the market's over 40 reports of 40 events/,
    );
    expect(verdictOf(events(40, 95, 50, 0))).toMatch(/ worse than the market's over 40 reports of 40 events/);
  });

  test('follows the sequence where a fixed interval already excludes 0', () => {
    const record = of(events(50, 60, 50, 7));
    expect(record.paired_difference.interval_95?.[1]).toBeLessThan(0);
    expect(record.paired_difference.confidence_sequence_95?.[1]).toBeGreaterThan(0);
    expect(record.verdict_text).toContain('not distinguishable');
  });

  test('says what the estimate shows, if there is one', () => {
    const estimated = (count: number, percents: readonly [number, number] | null = [95, 5]) =>
      events(count, 60, 50, 10).map(({ forecast: row }) => {
        const outcomes = row.outcomes.map((each, n) => ({ ...each, estimate: percents?.[n] ?? null }));
        return graded({ ...row, outcomes }, resolved({ Rain: 'yes' }));
      });
    expect(verdictOf(estimated(40, null))).not.toContain('estimate');
    expect(verdictOf(estimated(29))).toContain('estimate of both is graded on 29 events: too few');
    expect(verdictOf(estimated(40))).toContain(
      "Brier score of the estimate of both was better than the market's over 40 reports of 40 events",
    );
  });

  test('says not distinguishable while the sequence includes 0', () => {
    expect(verdictOf(events(40, 70, 50, 6))).toContain(
      'not distinguishable from the market over 40 reports of 40',
    );
    expect(verdictOf(events(40, 60, 60, 6))).toContain('not distinguishable from the market');
  });

  test('mentions returns only with their uncertainty', () => {
    const staked = (wins: number) =>
      events(60, 95, 50, wins, { bets: [bet('Rain', { payout_per_dollar: 1 })] });
    expect(verdictOf(staked(5))).toContain('return of 60 bets is not distinguishable from 0');
    expect(verdictOf(staked(10))).toContain('return of 60 bets is for small stakes at the prices named');
    expect(verdictOf(staked(0))).toContain('return of 60 bets is for small stakes at the prices named');
    expect(verdictOf(events(30, 95, 50, 10))).not.toContain('return of');
    expect(verdictOf(staked(10).slice(0, 29))).not.toContain('return of');
  });

  test('always states what it does not show', () => {
    for (const rows of [[], events(30, 95, 50, 10), events(40, 70, 50, 6)]) {
      expect(verdictOf(rows)).toMatch(/None of this says how any single forecast will turn out\.$/);
    }
  });
});
