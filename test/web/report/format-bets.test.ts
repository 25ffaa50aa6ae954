import { describe, expect, test } from '@jest/globals';
import type { BetView } from '../../../contract/runtime.js';
import { publishedMethod } from '../../../council/method.js';
import { betSentence, noBetReason } from '../../../web/report/bets/format-bets.js';
import { actionTitle, betTitle } from '../../../web/report/headline/format-verdict.js';

/** As it is read, whatever kind of gap stands before a unit. */
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

describe('a bet in words', () => {
  test('is worked out from its cost to what a dollar brings on average', () => {
    expect(plain(betSentence(bet))).toBe(
      'You pay 43.2 ¢ a share, fee included. If it wins, each dollar brings $1.31 more; if not, the dollar is lost. ' +
        'At 52 % that is +20.4 ¢ a dollar on average.',
    );
    const cheap = plain(betSentence({ ...bet, payout_per_dollar: 0.25, expected_return_per_dollar: -0.01 }));
    expect(cheap).toContain('each dollar brings 25 ¢ more');
    expect(cheap).toContain('that is −1.0 ¢ a dollar');
  });

  test('is called by the names that the market gives its sides', () => {
    const named = (outcomes: readonly [string, string]) => [
      {
        market_id: '1',
        market: 'Draw',
        slug: 'draw',
        outcomes,
        status: 'open' as const,
        placeholder: false,
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

  test('that is not named has a reason', () => {
    const runtime = {
      consensus_market_conflict: false,
      market_implied_basis: 'normalised',
      quote_age_seconds: 3,
      degraded: false,
      method: publishedMethod,
    } as const;
    expect(noBetReason({ ...runtime, consensus_market_conflict: true })).toContain('in conflict');
    expect(noBetReason({ ...runtime, market_implied_basis: 'no_price' })).toContain('Nobody quotes a price');
    expect(noBetReason({ ...runtime, market_implied_basis: 'sum_out_of_range' })).toContain(
      'add up to too much',
    );
    expect(noBetReason({ ...runtime, quote_age_seconds: 301 })).toContain('301 seconds old');
    expect(plain(noBetReason(runtime))).toContain('5 points or more over the market, and 5 % or more return');
    expect(noBetReason({ ...runtime, degraded: true })).toContain('8 points or more');
  });
});
