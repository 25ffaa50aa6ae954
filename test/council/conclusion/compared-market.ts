import { type BetOptions, bets, type ComparedMarket } from '../../../council/conclusion/bets.js';
import type { Market } from '../../../council/event.js';
import { impliedPrice } from '../../../council/market/prices.js';
import { roundTo } from '../../../council/numbers.js';
import { market } from '../fixtures.js';

/** A market that the council and the bets give the same probability. */
export function compared(council: number, overrides: Partial<Market> & { name: string }): ComparedMarket {
  const quoted = market(overrides);
  const price = impliedPrice(quoted);
  return {
    name: quoted.name,
    market: quoted,
    councilPercent: roundTo(council * 100, 1),
    probability: council,
    probabilityPercent: roundTo(council * 100, 1),
    implied: price,
    impliedPercent: price === null ? null : roundTo(price * 100, 1),
    price,
  };
}

export const options = (overrides: Partial<BetOptions> = {}): BetOptions => ({
  favourite: null,
  quoteAgeSeconds: 10,
  degraded: false,
  ...overrides,
});

/** The first bet on a single market. */
export const one = (council: number, overrides: Partial<Market> = {}, opts: Partial<BetOptions> = {}) =>
  bets([compared(council, { name: 'A', ...overrides })], options(opts))[0];
