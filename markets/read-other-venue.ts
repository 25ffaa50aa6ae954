import type { MarketEvent, Venue } from '../council/event.js';
import type { OtherVenuePrice } from '../council/market/other-venue.js';
import { outcomeSet } from '../council/market/outcome-set.js';
import { impliedPrice } from '../council/market/prices.js';
import { at, roundTo } from '../council/numbers.js';
import { withTimeout } from '../platform/net/with-timeout.js';
import { type EventSource, MarketUnavailable } from './event-source.js';
import type { PairedMarket, Pairs } from './pairs.js';

/** What the other venue prices outcomes of an event at, in their order. Null if nothing is known. Never fails. */
export type ReadOtherVenue = (event: MarketEvent) => Promise<readonly OtherVenuePrice[] | null>;

export interface OtherVenueOptions {
  readonly pairs: Pairs;
  /** The configured venues. Others are not read. */
  readonly venues: ReadonlyMap<Venue, EventSource>;
  readonly now: () => Date;
  /** Default: {@link otherVenueMaxMs}. */
  readonly timeoutMs?: number;
  readonly onFailure: (error: unknown, paired: PairedMarket) => void;
}

/** How long a report waits for the other venue, in milliseconds. Few reports have a pair. */
export const otherVenueMaxMs = 1_500;

/** Reads each paired event once, all of them at the same time. What does not answer in time is left out. */
export function createOtherVenueReader(options: OtherVenueOptions): ReadOtherVenue {
  const { pairs, venues } = options;
  return async event => {
    const { markets, outcomes } = outcomeSet(event);
    const pairings = markets.flatMap(({ market, yesIndex }) => {
      const other = pairs.other(event.eventId, market.marketId);
      return other === null || !venues.has(other.venue)
        ? []
        : [{ outcome: at(outcomes, yesIndex).name, other }];
    });
    const events = new Map(pairings.map(({ other }) => [other.eventId, other]));
    const read = new Map(
      await Promise.all(
        [...events.values()].map(async other => [other.eventId, await readPaired(options, other)] as const),
      ),
    );
    const prices = pairings.flatMap(({ outcome, other }) => priceOf(outcome, other, read.get(other.eventId)));
    return prices.length === 0 ? null : prices;
  };
}

interface PairedReading {
  readonly event: MarketEvent;
  readonly readAt: Date;
}

async function readPaired(
  { venues, now, timeoutMs = otherVenueMaxMs, onFailure }: OtherVenueOptions,
  paired: PairedMarket,
): Promise<PairedReading | null> {
  try {
    const reading = venues.get(paired.venue)?.get(paired.eventId) ?? Promise.resolve(null);
    const event = await withTimeout(timeoutMs, reading, tooSlow);
    return event === null ? null : { event, readAt: now() };
  } catch (error) {
    onFailure(error, paired);
    return null;
  }
}

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');

/** Empty without a price: a market that was not read, is closed, or has no quote. */
function priceOf(
  outcome: string,
  { venue, eventId, marketId }: PairedMarket,
  reading: PairedReading | null | undefined,
): readonly OtherVenuePrice[] {
  const found = reading?.event.markets.find(market => market.marketId === marketId);
  const price = found === undefined ? null : impliedPrice(found);
  if (!reading || found === undefined || price === null) return [];
  return [
    {
      outcome,
      venue,
      event_id: eventId,
      slug: found.slug,
      url: reading.event.url,
      yes_price: roundTo(price, priceDecimals),
      read_at: reading.readAt.toISOString(),
    },
  ];
}

/** Venues quote four decimals; the middle of two has one more. */
const priceDecimals = 5;
