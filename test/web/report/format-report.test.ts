import { describe, expect, test } from '@jest/globals';
import type { BetView } from '../../../contract/runtime.js';
import { method } from '../../../council/method.js';
import {
  betSentence,
  edgeSentence,
  noBetReason,
  pickRule,
  stakePercent,
  stakeSentence,
} from '../../../web/report/bets/format-bets.js';
import { actionTitle, betTitle } from '../../../web/report/bets/format-verdict.js';
import { progressText, refundText, stageSteps, verdictLine } from '../../../web/report/format-report.js';
import { comparisonText, outcomeText } from '../../../web/report/grade/format-grade.js';
import { lossText, quorumText } from '../../../web/report/headline/format-cautions.js';
import { otherFavouritesText } from '../../../web/report/probabilities/distribution-rows.js';
import { thresholdName } from '../../../web/report/provenance/format-thresholds.js';
import { reportExample } from '../../support/expect/examples.js';

/** With plain spaces in place of narrow and no-break spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the texts of a report', () => {
  test('state the effect of losing a model at each stage', () => {
    const lost = { model: 'grok', kind: 'timed_out', detail: 'timed out after 45 s at opinions' } as const;
    expect(lossText({ ...lost, stage: 'opinions' })).toBe(
      'Grok: timed out after 45 s at opinions; its forecast is missing from every number.',
    );
    expect(quorumText(3, 4)).toBe('Three of four members gave a forecast.');
    expect(quorumText(4, 4)).toContain('All four members gave a forecast');
  });

  test('name the favourites of council and market where they are not the one that leads', () => {
    const runtime = {
      market_probabilities: { A: 10, B: 90 },
      market_implied_probabilities: { A: 80, B: 20 },
      estimate: null,
      estimate_missing: 'no_firm_price',
    } as const;
    expect(plain(otherFavouritesText(runtime))).toBe('The market’s favourite is A with 80 %.');
    const prices = { market_implied_probabilities: { A: null, B: null } };
    expect(otherFavouritesText({ ...runtime, ...prices })).toBe('');
  });

  test('state the outcome, and whether council or market scored better', () => {
    const [a, b, c] = [
      { name: 'A', happened: 1, open: false },
      { name: 'B', happened: 0, open: false },
      { name: 'C', happened: 1, open: false },
    ] as const;
    const score = (brier: number) => ({ brier, log_score: 1, hit: 1 });
    const none = {
      council: null,
      market: null,
      blend: null,
      mean: null,
      estimate: null,
      first_council: null,
    };
    const scores = { bets: [], ...none, members: {}, first_members: {} };
    const graded = (outcomes: readonly (typeof a | typeof b | typeof c)[], exclusive: boolean, open = 0) =>
      outcomeText({ state: 'graded', open_markets: open, scores: { ...scores, outcomes } }, exclusive);
    expect(graded([a, b], true)).toBe('It resolved to “A”.');
    expect(graded([a, b, c], false)).toBe('“A” and “C” happened.');
    expect(graded([], false)).toBe('None of these happened.');
    expect(graded([a, b], false, 2)).toBe('“A” happened; 2 of the markets are not final.');
    expect(outcomeText({ state: 'void', open_markets: 0, scores: null }, true)).toContain('without a winner');
    expect(comparisonText({ council: score(0.2), market: score(0.3) })).toContain(
      'The council scored better',
    );
    expect(comparisonText({ council: score(0.3), market: score(0.2) })).toContain('The market scored better');
    expect(comparisonText({ council: score(0.3), market: score(0.3004) })).toContain('scored the same');
    expect(comparisonText({ council: score(0.3), market: null })).toContain('cannot be compared');
  });

  test('state the refund of a failed run and where it went', () => {
    expect(refundText('credits', { pool: 'purchased', amount_credits: 70 })).toContain(
      '70 credits, to your purchased credits',
    );
    expect(refundText('credits', { pool: 'weekly_grant', amount_credits: 70 })).toContain(
      'is available again',
    );
    expect(refundText('byok', null)).toContain('was refunded in full');
    expect(refundText('subscription', null)).toContain('Nothing was charged');
  });

  test('state the progress of a run', () => {
    const progress = { stage: 'cross_review', done: 2, of: 3, answered: [] } as const;
    expect(stageSteps(progress, false).map(({ state }) => state)).toEqual(['done', 'now', 'next']);
    expect(stageSteps(progress, true).map(({ state }) => state)).toEqual(['done', 'done', 'now', 'next']);
    expect(progressText({ status: 'processing', progress })).toBe('Cross-review: 2 of 3 answered.');
    expect(progressText({ status: 'pending', progress: null })).toBe('The run is about to start.');
  });

  test('name every published threshold', () => {
    for (const key of Object.keys(method.thresholds))
      expect(thresholdName(key)).not.toBe(key.replaceAll('_', ' '));
    expect(thresholdName('some_later_one')).toBe('some later one');
  });

  test('summarise a report in one line', () => {
    const title = { event_title: 'Will it rain?', queried_market: 'Will it rain?', lane: 'credits' } as const;
    const verdict = { action: 'BUY_NO', probability: 8, estimate: 12.5, confidence: 60 } as const;
    const summary = { ...reportExample, ...title, ...verdict };
    expect(plain(verdictLine(summary))).toBe('Buy NO: estimate 12.5 % for YES, confidence 60');
    const unpriced = { queried_market: 'Draw', action: 'SKIP', estimate: null } as const;
    expect(plain(verdictLine({ ...summary, ...unpriced }))).toBe(
      'Skip on “Draw”: no estimate without a firm price; probability of YES 8 %, confidence 60',
    );
    expect(verdictLine({ ...summary, status: 'failed', lane: 'byok' })).toContain('refunded');
    expect(verdictLine({ ...summary, status: 'failed', lane: 'subscription' })).toContain(
      'Nothing was billed.',
    );
    expect(verdictLine({ ...summary, status: 'processing', action: null })).toBe('The run is in progress.');
  });
});

const bet: BetView = {
  side: 'BUY_YES',
  market: 'Draw',
  kind: 'edge',
  yes_price: 0.425,
  share_cost: 0.432,
  consensus_probability: 52,
  market_implied_probability: 42.5,
  edge_points: 9.5,
  win_probability: 52,
  payout_per_dollar: 1.314815,
  expected_return_per_dollar: 0.203704,
  slug: 'draw',
  stake_fraction: 0.0387,
};

describe('the text about a bet', () => {
  test('calculates the expected return from the share cost', () => {
    expect(plain(betSentence(bet))).toBe(
      'A share costs 43.2 ¢, fee included. If the bet wins, each dollar returns $1.31 on top; otherwise it is lost. ' +
        'At 52 %, the expected return is +20.4 ¢ per dollar.',
    );
    const cheap = plain(betSentence({ ...bet, payout_per_dollar: 0.25, expected_return_per_dollar: -0.01 }));
    expect(cheap).toContain('each dollar returns 25 ¢ on top');
    expect(cheap).toContain('the expected return is −1.0 ¢ per dollar');
  });

  test('states the stake of a bankroll, and nothing without one', () => {
    expect(plain(stakePercent(0.0125))).toBe('1.25 %');
    expect(plain(stakePercent(0.05))).toBe('5 %');
    expect(plain(stakePercent(0))).toBe('0 %');
    expect(plain(stakeSentence({ stake_fraction: 0.0125 }))).toBe(
      'Of a bankroll of $1 000, the stake is $12.50.',
    );
    for (const none of [0, null]) expect(stakeSentence({ stake_fraction: none })).toBe('');
  });

  test('names the sides as the market does', () => {
    const { market_snapshot: snapshot } = reportExample;
    const named = (...outcomes: [string, string]) =>
      (snapshot?.markets ?? [])
        .slice(0, 1)
        .map(market => ({ ...market, market: 'Draw', slug: 'draw', outcomes }));
    expect(betTitle(bet, named('Yes', 'No'))).toBe('Buy YES on “Draw”');
    expect(betTitle({ ...bet, side: 'BUY_NO' }, named('Home', 'Away'))).toBe('Buy “Away”');
    expect(betTitle(bet, [])).toBe('Buy YES on “Draw”');
    expect(actionTitle('BUY_YES', 'The question', named('Home', 'Away'))).toBe('Buy “Home”');
  });

  test('shows the numbers of the side bought, and the subtraction that gives the edge', () => {
    const priced = { ...bet, win_probability: 48.2, edge_points: 5.7 };
    expect(plain(edgeSentence(priced))).toBe(
      'YES on this market: council 52 %, market 42.5 %, estimate 48.2 %. ' +
        'Edge: 48.2 % (estimate) − 42.5 % (market), subtracted before rounding: +5.7 points.',
    );
    const no = { ...priced, side: 'BUY_NO', win_probability: 51.8, edge_points: -5.7 } as const;
    expect(plain(edgeSentence(no))).toBe(
      'NO on this market: council 48 %, market 57.5 %, estimate 51.8 %. ' +
        'Edge: 51.8 % (estimate) − 57.5 % (market), subtracted before rounding: −5.7 points.',
    );
  });

  test('states the condition for a pick where the report names it', () => {
    expect(plain(pickRule(method.thresholds))).toContain('−5.0 ¢ per dollar or more');
    expect(pickRule({})).toBe('');
  });

  test('gives a reason if no bet is suggested', () => {
    const runtime = {
      consensus_market_conflict: false,
      estimate_missing: null,
      bets_missing: null,
      quote_age_seconds: 3,
      degraded: false,
      method,
    } as const;
    expect(noBetReason({ ...runtime, consensus_market_conflict: true })).toContain('in conflict');
    expect(noBetReason({ ...runtime, estimate_missing: 'no_firm_price' })).toContain('no estimate');
    expect(noBetReason({ ...runtime, bets_missing: 'unknown_fee' })).toContain(
      'fee is of a kind that is not known',
    );
    expect(noBetReason({ ...runtime, quote_age_seconds: 301 })).toContain('301 seconds old');
    expect(plain(noBetReason(runtime))).toContain(
      'at least 5 points above the market, and a return of at least 5 %',
    );
    expect(noBetReason({ ...runtime, degraded: true })).toContain('at least 8 points');
  });
});
