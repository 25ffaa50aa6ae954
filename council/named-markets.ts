import { compareText } from './compare-text.js';
import type { Market, MarketEvent } from './event.js';
import { otherOutcome } from './method.js';
import { oneLine } from './one-line.js';
import { nameMaxChars } from './text-limits.js';

export interface NamedMarket {
  /** Unlike any other name of the event, on one line. */
  readonly name: string;
  readonly market: Market;
}

/**
 * The markets of an event that the council can be asked about: the only one, whatever its state, else those
 * that are open and already named. Ordered by name, which says nothing of prices.
 */
export function namedMarkets(event: MarketEvent): readonly NamedMarket[] {
  const markets = event.markets.length === 1 ? event.markets : event.markets.filter(isTraded);
  const taken = new Set([otherOutcome]);
  return [...markets]
    .sort((a, b) => compareText(plainName(a), plainName(b)) || compareText(a.marketId, b.marketId))
    .map(market => {
      const name = freeName(market, taken);
      taken.add(name);
      return { name, market };
    });
}

function isTraded(market: Market): boolean {
  return market.status === 'open' && !market.placeholder;
}

function plainName(market: Market): string {
  return oneLine(market.name, nameMaxChars) || market.slug;
}

/** Two markets of one name would be one key of the distribution: the second is told apart by slug, then by id. */
function freeName(market: Market, taken: ReadonlySet<string>): string {
  const name = plainName(market);
  const candidates = [name, `${name} (${oneLine(market.slug, nameMaxChars)})`];
  return candidates.find(candidate => !taken.has(candidate)) ?? `${name} (${market.marketId})`;
}
