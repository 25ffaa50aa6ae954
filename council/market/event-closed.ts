import type { MarketEvent } from '../event.js';
import { namedMarkets } from './outcome-set.js';

/**
 * Whether an event has nothing left to forecast, so that no report is sold: it no longer trades, all its markets are
 * closed, none of those that are open has a name, or it is exclusive and one of its markets has resolved YES, whatever
 * the state of the others. Nor is one sold while all that is open is provisional.
 */
export function isEventClosed(event: MarketEvent): boolean {
  const { status, exclusive, markets } = event;
  const named = markets.filter(({ placeholder }) => !placeholder);
  return (
    status === 'closed' ||
    isProvisional(event) ||
    (exclusive && markets.some(({ resolution }) => resolution === 'yes')) ||
    (named.length > 0 && named.every(market => market.status === 'closed')) ||
    (markets.length > 0 && namedMarkets(event).length === 0)
  );
}

/**
 * Whether all markets of an event that are open may still be removed by the venue because nobody trades them, or none is
 * open and such markets are still to come. False once the event is decided.
 */
export function isProvisional({ exclusive, markets }: MarketEvent): boolean {
  const isDecided = exclusive && markets.some(({ resolution }) => resolution === 'yes');
  const open = markets.filter(({ status }) => status === 'open');
  return (
    !isDecided &&
    markets.some(({ provisional }) => provisional === true) &&
    open.every(({ provisional }) => provisional === true)
  );
}
