import { describe, expect, test } from '@jest/globals';
import type { PurchaseSituation } from '../../purchase/decide-purchase.js';
import { untouchedDay } from '../../purchase/house-ceilings.js';
import { plannedCredits, planRow } from '../../purchase/plan-row.js';
import { unlimitedSales } from '../council/fixtures.js';

/** A purchase by itself that a weekly grant would pay for, in an hour without any run left. */
const situation: PurchaseSituation = {
  owned: null,
  isSuspended: false,
  sharedReportId: null,
  missingLaneSetup: [],
  runs: { left: 0, secondsToNext: 90 },
  restSecondsLeft: 0,
  quote: { freshCredits: 121, estimateUsdMicros: 400_000 },
  grant: { accountId: 'a', week: '2026-11-16', heldCredits: 0, isNew: true, isHeldBack: false },
  balanceCredits: 500,
  owedCredits: 0,
  house: untouchedDay(unlimitedSales, new Date('2026-11-16T20:00:00Z')),
  keyDay: null,
  batch: null,
};
const batch = { lane: 'credits', budgetCredits: 1_000, maxCreditsEach: null } as const;
const owned = { reportId: 3, status: 'processing', lane: 'credits', pool: 'purchased' } as const;

describe('a row of a dry run', () => {
  test.each<[what: string, PurchaseSituation, object, object]>([
    ['takes no run of the hour and no grant', situation, {}, { kind: 'fresh', credits: 121 }],
    [
      'is half the price if the report exists',
      { ...situation, sharedReportId: 7 },
      {},
      { kind: 'cached', credits: 61 },
    ],
    ['is free if it is owned', { ...situation, owned, isSuspended: true }, {}, { kind: 'owned', credits: 0 }],
    ['has the fixed price of own keys', situation, { lane: 'byok' }, { kind: 'fresh', credits: 50 }],
    [
      'waits for credits that a grant would have replaced',
      { ...situation, balanceCredits: 0 },
      {},
      { kind: 'fresh', credits: 121, code: 'insufficient_credits' },
    ],
    [
      'waits while its event rests',
      { ...situation, restSecondsLeft: 60 },
      {},
      { kind: 'fresh', credits: 121, code: 'unavailable' },
    ],
    [
      'waits for a budget into which it fits',
      situation,
      { budgetCredits: 120 },
      { kind: 'fresh', credits: 121, code: 'insufficient_credits' },
    ],
    [
      'is refused above the most that it may cost',
      situation,
      { maxCreditsEach: 120 },
      { kind: 'refused', credits: 0, code: 'quote_expired' },
    ],
    [
      'is refused without own keys',
      { ...situation, missingLaneSetup: ['openai'] },
      { lane: 'byok' },
      { kind: 'refused', credits: 0, code: 'lane_unavailable' },
    ],
  ])('%s', (_, given, more, row) => {
    expect(planRow({ ...batch, ...more }, given, false)).toEqual(row);
  });

  test('is refused once its event is closed, unless it is owned', () => {
    expect(planRow(batch, situation, true)).toEqual({ kind: 'refused', credits: 0, code: 'event_closed' });
    expect(planRow(batch, { ...situation, owned }, true)).toEqual({ kind: 'owned', credits: 0 });
  });
});

test('the most that rows can cost is the budget, or the limit of each that is sold', () => {
  const rows = [
    { kind: 'fresh', credits: 121 },
    { kind: 'cached', credits: 61 },
    { kind: 'owned', credits: 0 },
    { kind: 'refused', credits: 0, code: 'event_closed' },
  ] as const;
  expect(plannedCredits(batch, rows)).toEqual({ expected: 182, atMost: 1_000 });
  expect(plannedCredits({ ...batch, maxCreditsEach: 150 }, rows)).toEqual({ expected: 182, atMost: 300 });
  expect(plannedCredits({ ...batch, budgetCredits: 200, maxCreditsEach: 150 }, rows).atMost).toBe(200);
});
