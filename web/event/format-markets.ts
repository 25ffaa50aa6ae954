import type { EventMarketView, EventView } from '../../contract/events.js';

/** Whether the outcomes exclude each other, and, while the event is open, what the prices add up to. */
export function eventKindText({ markets, exclusive, status }: EventView): string {
  const whileOpen = (text: string) => (status === 'open' ? ` ${text}` : '');
  const [only] = markets;
  if (only !== undefined && markets.length === 1) {
    const [yes, no] = only.outcomes;
    return `One question with two answers, ${yes} or ${no}.${whileOpen(`A share of the correct answer pays $1. The price shown is for ${yes}.`)}`;
  }
  return exclusive
    ? `Exclusive: only one of these ${markets.length} outcomes can win.${whileOpen('A share of the winner pays $1, so the prices add up to about 100 ¢, or to less where none of them may win.')}`
    : `Independent: ${markets.length} separate questions. Several may come true, or none.${whileOpen('The prices do not have to add up to 100 ¢.')}`;
}

/** Name of the outcome that the price of a market is for. */
export function marketName({ market, outcomes: [yes, no] }: EventMarketView): string {
  return yes === 'Yes' && no === 'No' ? market : `${yes} (or ${no})`;
}

const resolutions = {
  unresolved: 'closed, not resolved yet',
  disputed: 'closed, disputed',
  fifty_fifty: 'closed, paid out half to each side',
  void: 'closed, void',
} as const;

export function marketStatusText({ status, resolution, outcomes: [yes, no] }: EventMarketView): string {
  if (resolution === 'yes') return `resolved: ${yes}`;
  if (resolution === 'no') return `resolved: ${no}`;
  return status === 'open' ? 'open' : resolutions[resolution];
}

/** Highest price first; markets without a price last, by volume. */
export function byPrice(markets: readonly EventMarketView[]): EventMarketView[] {
  return [...markets].sort((a, b) => (b.yes_price ?? -1) - (a.yes_price ?? -1) || b.volume - a.volume);
}

/** The slug of the market whose past prices are drawn: the most likely. Null without a market. */
export function chartedMarket({ markets }: Pick<EventView, 'markets'>): string | null {
  return byPrice(markets)[0]?.slug ?? null;
}
