import type { Market, MarketEvent } from '../../council/event.js';

/**
 * An event as a report froze it. Reports of `council/1` lack the fields that its method did not use. They get the
 * value that says nothing, so that their numbers stay the same.
 */
export type StoredEvent = Omit<MarketEvent, AddedToEvent | 'markets'> &
  Partial<Pick<MarketEvent, AddedToEvent>> & { readonly markets: readonly StoredMarket[] };

type AddedToEvent = 'canGrow' | 'resolutionSource';
type AddedToMarket = 'other' | 'rules' | 'closesAt' | 'resolutionSource';
type StoredMarket = Omit<Market, AddedToMarket> & Partial<Pick<Market, AddedToMarket>>;

/** Null if the run has not frozen its event. */
export function frozenEvent(stored: StoredEvent | null): MarketEvent | null {
  if (stored === null) return null;
  const markets = stored.markets.map(
    (market): Market => ({
      ...market,
      other: market.other ?? false,
      rules: market.rules ?? null,
      closesAt: market.closesAt ?? null,
      resolutionSource: market.resolutionSource ?? null,
    }),
  );
  return {
    ...stored,
    canGrow: stored.canGrow ?? false,
    resolutionSource: stored.resolutionSource ?? null,
    markets,
  };
}
