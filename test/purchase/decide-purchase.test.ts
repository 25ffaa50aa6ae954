import { describe, expect, test } from '@jest/globals';
import { decidePurchase, type PurchaseSituation } from '../../purchase/decide-purchase.js';
import { untouchedDay } from '../../purchase/house-ceilings.js';
import type { Lane, PurchaseRequest } from '../../purchase/purchase.js';
import { unlimitedSales } from '../council/fixtures.js';

const grant = {
  accountId: 'someone',
  week: '2026-11-16',
  heldCredits: 0,
  isNew: true,
  isHeldBack: false,
};
const owned = { reportId: 3, status: 'processing', lane: 'credits', pool: 'purchased' } as const;

/** An account that can buy a fresh report for 120 purchased credits. */
const eligible: PurchaseSituation = {
  owned: null,
  isSuspended: false,
  sharedReportId: null,
  missingLaneSetup: [],
  runs: { left: 5, secondsToNext: 0 },
  restSecondsLeft: 0,
  quote: { freshCredits: 120, estimateUsdMicros: 400_000 },
  grant: null,
  balanceCredits: 500,
  owedCredits: 0,
  house: untouchedDay(unlimitedSales, new Date('2026-11-16T20:00:00Z')),
  keyDay: null,
  batch: null,
};

/** A purchase to which every refusal applies. */
const notEligible: PurchaseSituation = {
  ...eligible,
  missingLaneSetup: ['subscription'],
  runs: { left: 0, secondsToNext: 90 },
  restSecondsLeft: 60,
  balanceCredits: 0,
};

const request = (
  lane: Lane = 'credits',
  quotedCredits: number | null = null,
): Pick<PurchaseRequest, 'lane' | 'quotedCredits' | 'quotedUsdCents' | 'quotedPool'> => ({
  lane,
  quotedCredits,
  quotedUsdCents: null,
});

const decide = (situation: Partial<PurchaseSituation>, given = request()) =>
  decidePurchase(given, { ...eligible, ...situation }, 'fresh');

const refused = (code: string) => ({ decided: 'answer', answer: { refused: code } });

describe('the order of the rules', () => {
  test('an owned report is free and never refused', () => {
    expect(decide({ ...notEligible, owned })).toEqual({
      decided: 'answer',
      answer: { ...owned, kind: 'owned', creditsSpent: 0, replayed: false },
    });
  });

  test('lane, rest of the event, run limit, quote and balance are checked in this order', () => {
    const lowQuote = request('credits', 1);
    expect(decide(notEligible, lowQuote)).toMatchObject(refused('lane_unavailable'));
    expect(decide({ ...notEligible, missingLaneSetup: [] }, lowQuote)).toMatchObject(refused('unavailable'));
    const awake = { ...notEligible, missingLaneSetup: [], restSecondsLeft: 0 };
    expect(decide(awake, lowQuote)).toMatchObject(refused('run_limit_exceeded'));
    const mayRun = { ...awake, runs: eligible.runs };
    expect(decide(mayRun, lowQuote)).toMatchObject(refused('quote_expired'));
    expect(decide(mayRun)).toMatchObject(refused('insufficient_credits'));
  });

  test('a cached report is sold beyond the run limit and while its event rests', () => {
    expect(decide({ runs: notEligible.runs, restSecondsLeft: 60, sharedReportId: 7 })).toEqual({
      decided: 'sell',
      sale: { kind: 'cached', reportId: 7, credits: 60, funding: { pool: 'purchased' } },
    });
  });
});

describe('the allowed outcome', () => {
  const shared = { ...eligible, sharedReportId: 7 };

  test('"owned" buys nothing and refuses nothing', () => {
    for (const situation of [eligible, shared, notEligible]) {
      expect(decidePurchase(request(), situation, 'owned')).toEqual({ decided: 'fresh_needed' });
    }
  });

  test('"existing" sells a finished report or refuses, and starts no run', () => {
    expect(decidePurchase(request(), shared, 'existing')).toMatchObject({ decided: 'sell' });
    expect(decidePurchase(request(), { ...eligible, balanceCredits: 119 }, 'existing')).toMatchObject(
      refused('insufficient_credits'),
    );
    expect(decidePurchase(request(), eligible, 'existing')).toEqual({ decided: 'fresh_needed' });
  });

  test('"fresh" sells a run only if there is no finished report', () => {
    expect(decidePurchase(request(), eligible, 'fresh')).toMatchObject({
      sale: { kind: 'fresh', credits: 120 },
    });
    expect(decidePurchase(request(), shared, 'fresh')).toMatchObject({ sale: { kind: 'cached' } });
  });
});

describe('funding', () => {
  test('the weekly grant pays for a fresh report in full, even with an empty balance', () => {
    expect(decide({ grant, balanceCredits: 0 })).toMatchObject({
      sale: { credits: 120, funding: { pool: 'weekly_grant', grant } },
    });
  });

  test('a grant that its network holds back is not spent, and credits pay only for a caller who says so', () => {
    const heldBack = { grant: { ...grant, isHeldBack: true } };
    const refusal = { refused: 'house_limit_reached', retryAfterSeconds: 4 * 3_600 };
    for (const balanceCredits of [0, 500]) {
      expect(decide({ ...heldBack, balanceCredits })).toMatchObject({ answer: refusal });
    }
    expect(decide(heldBack, { ...request(), quotedPool: 'purchased' })).toMatchObject({
      sale: { funding: { pool: 'purchased' } },
    });
  });

  test('the grant pays neither for a cached report nor for one with the caller’s own keys', () => {
    expect(decide({ grant, sharedReportId: 7 })).toMatchObject({ sale: { funding: { pool: 'purchased' } } });
    expect(decide({ grant }, request('byok'))).toMatchObject({
      sale: { credits: 50, funding: { pool: 'purchased' } },
    });
    expect(decide({ grant, balanceCredits: 49 }, request('byok'))).toMatchObject(
      refused('insufficient_credits'),
    );
  });

  test('a quote in dollars binds the subscription only, and a lower price is billed', () => {
    const quoted = (lane: Lane, quotedUsdCents: number) => ({ ...request(lane), quotedUsdCents });
    const cached = { sharedReportId: 7 };
    expect(decide({}, quoted('subscription', 299))).toMatchObject({
      answer: { refused: 'quote_expired', data: { cost_credits: 0, price_usd_cents: 300 } },
    });
    expect(decide(cached, quoted('subscription', 149))).toMatchObject(refused('quote_expired'));
    expect(decide({}, quoted('subscription', 300))).toMatchObject({ decided: 'sell' });
    expect(decide(cached, quoted('subscription', 300))).toMatchObject({ sale: { kind: 'cached' } });
    for (const lane of ['credits', 'byok'] as const) {
      expect(decide({}, quoted(lane, 0))).toMatchObject({ decided: 'sell' });
    }
  });

  test('the subscription takes no credits and ignores the quote in credits', () => {
    expect(decide({ balanceCredits: 0 }, request('subscription', 1))).toEqual({
      decided: 'sell',
      sale: { kind: 'fresh', credits: 0, funding: { pool: null } },
    });
  });

  test('a balance equal to the price is sufficient, one credit less is not', () => {
    expect(decide({ balanceCredits: 120 })).toMatchObject({ decided: 'sell' });
    expect(decide({ balanceCredits: 119 })).toMatchObject({
      answer: { data: { cost_credits: 120, balance_credits: 119 } },
    });
  });

  test('an account that owes credits spends none on any lane, nor its grant, whatever its balance', () => {
    const owing = { owedCredits: 1, grant };
    for (const lane of ['credits', 'byok'] as const) {
      for (const sharedReportId of [null, 7]) {
        expect(decide({ ...owing, sharedReportId }, request(lane))).toMatchObject({
          answer: { refused: 'insufficient_credits', data: { balance_credits: 500, owed_credits: 1 } },
        });
      }
    }
    expect(decide(owing, request('subscription'))).toMatchObject({ decided: 'sell' });
    expect(decide({ ...owing, owned })).toMatchObject({ answer: { kind: 'owned' } });
  });

  test('a quote within 15 % is charged if it is lower', () => {
    expect(decide({ balanceCredits: 110 }, request('credits', 110))).toMatchObject({
      sale: { credits: 110 },
    });
  });
});
