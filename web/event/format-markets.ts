import type { EventMarketView, EventView } from '../../contract/events.js';

/** How many ways the event can end, and, while it trades, what its prices add up to. */
export function kindOfEvent({ markets, exclusive, status }: EventView): string {
  const whileOpen = (text: string) => (status === 'open' ? ` ${text}` : '');
  const [only] = markets;
  if (only !== undefined && markets.length === 1) {
    const [yes, no] = only.outcomes;
    return `One question with two answers, ${yes} or ${no}.${whileOpen(`A share of the right one pays a dollar; the price is that of ${yes}.`)}`;
  }
  return exclusive
    ? `Exclusive: exactly one of these ${markets.length} outcomes wins.${whileOpen('The prices are rival bids for one dollar, and add up to about 100 ¢.')}`
    : `Independent: ${markets.length} questions of their own. Several may come true, or none.${whileOpen('So the prices do not add up to 100 ¢.')}`;
}

/** What the price of a market is the price of. */
export function nameOfMarket({ market, outcomes: [yes, no] }: EventMarketView): string {
  return yes === 'Yes' && no === 'No' ? market : `${yes} (or ${no})`;
}

const resolutions = {
  unresolved: 'closed, not decided yet',
  disputed: 'closed, disputed',
  fifty_fifty: 'closed, paid half to each side',
  void: 'closed, void',
} as const;

export function marketState({ status, resolution, outcomes: [yes, no] }: EventMarketView): string {
  if (resolution === 'yes') return `decided: ${yes}`;
  if (resolution === 'no') return `decided: ${no}`;
  return status === 'open' ? 'open' : resolutions[resolution];
}

/** Most probable first; what has no price last, by volume. */
export function byPrice(markets: readonly EventMarketView[]): EventMarketView[] {
  return [...markets].sort((a, b) => (b.yes_price ?? -1) - (a.yes_price ?? -1) || b.volume - a.volume);
}
