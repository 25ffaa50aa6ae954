import { describe, expect, test } from '@jest/globals';
import type { BetView } from '../../../contract/runtime.js';
import { method } from '../../../council/method.js';
import { betSentence, edgeSentence, noBetReason, pickRule } from '../../../web/report/bets/format-bets.js';
import { actionTitle, betTitle } from '../../../web/report/headline/format-verdict.js';

/** With plain spaces in place of narrow and no-break spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

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

  test('names the sides as the market does', () => {
    const named = (outcomes: readonly [string, string]) => [
      {
        market_id: '1',
        market: 'Draw',
        question: 'Will it be a draw?',
        slug: 'draw',
        outcomes,
        closes_at: null,
        status: 'open' as const,
        resolution: 'unresolved' as const,
        placeholder: false,
        other: false,
        best_bid: null,
        best_ask: null,
        last_trade: null,
        volume: 0,
        taker_fee: { rate: 0, exponent: 1 },
      },
    ];
    expect(betTitle(bet, named(['Yes', 'No']))).toBe('Buy YES on “Draw”');
    expect(betTitle({ ...bet, side: 'BUY_NO' }, named(['Home', 'Away']))).toBe('Buy “Away”');
    expect(betTitle(bet, [])).toBe('Buy YES on “Draw”');
    expect(actionTitle('BUY_YES', 'The question', named(['Home', 'Away']))).toBe('Buy “Home”');
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
      quote_age_seconds: 3,
      degraded: false,
      method,
    } as const;
    expect(noBetReason({ ...runtime, consensus_market_conflict: true })).toContain('in conflict');
    expect(noBetReason({ ...runtime, estimate_missing: 'no_firm_price' })).toContain('no estimate');
    expect(noBetReason({ ...runtime, quote_age_seconds: 301 })).toContain('301 seconds old');
    expect(plain(noBetReason(runtime))).toContain(
      'at least 5 points above the market, and a return of at least 5 %',
    );
    expect(noBetReason({ ...runtime, degraded: true })).toContain('at least 8 points');
  });
});
