import type { Logger } from 'pino';
import type { Venue } from '../../council/event.js';
import type { MarketPurpose } from '../../council/market/market-requests.js';
import type { Db } from '../../db/database.js';
import { venueTurnsIn } from '../../db/market/venue-turns.js';
import { countUnreadable } from '../../markets/count-unreadable.js';
import type { EventSource } from '../../markets/event-source.js';
import { emptyKalshiIndex } from '../../markets/kalshi/kalshi-index.js';
import { createKalshiKept } from '../../markets/kalshi/kalshi-kept.js';
import { createKalshiEventList, type KalshiEventList } from '../../markets/kalshi/list-kalshi-events.js';
import { openGates } from '../../markets/open-gates.js';
import { openVenue, requestTimeoutMs, type VenueSettings } from '../../markets/open-venue.js';
import type { Pairs } from '../../markets/pairs.js';
import {
  createOtherVenueReader,
  otherVenueMaxMs,
  type ReadOtherVenue,
} from '../../markets/read-other-venue.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';

interface VenueWorld {
  readonly settings: VenueSettings;
  /** The reviewed pairs of markets that ask the same question. */
  readonly pairs: Pairs;
  readonly db: Db;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => Date;
}

/** How a worker reads the venues of the settings. */
export interface OpenVenues {
  /** Where grading reads how events ended. */
  readonly venues: ReadonlyMap<Venue, EventSource>;
  /** Where events are read that rows of batches are bought on. */
  readonly rowVenues: ReadonlyMap<Venue, EventSource>;
  /** What a report reads when it is concluded. */
  readonly readOtherVenue: ReadOtherVenue;
  /** What the search index is filled from; null without Kalshi. */
  readonly kalshiEvents: KalshiEventList | null;
}

/** All requests of the process to a venue go through the gates of one budget. */
export function openVenues({ settings, pairs, db, metrics, log, now }: VenueWorld): OpenVenues {
  const gates = new Map(
    settings.MARKETS.map(venue => [
      venue,
      openGates(venue, {
        now,
        requests: metrics.marketRequests,
        turns: venueTurnsIn(db),
        onStoreError: err => log.warn({ err, venue }, 'the turns at the market could not be shared'),
      }),
    ]),
  );
  const kalshiKept = createKalshiKept(now);
  const kalshiGates = gates.get('kalshi');
  const open = (purpose: MarketPurpose, timeoutMs: number) =>
    new Map(
      [...gates].map(([venue, gateFor]) => [
        venue,
        countUnreadable(
          openVenue(venue, settings, {
            gate: gateFor(purpose),
            kalshiIndex: emptyKalshiIndex,
            kalshiKept,
            timeoutMs,
          }),
          () => metrics.marketUnreadable.inc({ venue }),
        ),
      ]),
    );
  return {
    venues: open('grading', requestTimeoutMs),
    rowVenues: open('batch', requestTimeoutMs),
    readOtherVenue: createOtherVenueReader({
      pairs,
      venues: open('run', otherVenueMaxMs),
      now,
      onFailure: (err, paired) => log.warn({ err, ...paired }, 'the price of the other venue was not read'),
    }),
    kalshiEvents:
      kalshiGates === undefined
        ? null
        : createKalshiEventList({
            fetch: globalThis.fetch,
            timeoutMs: requestTimeoutMs,
            // Readers and reports go first.
            gate: kalshiGates('browse'),
            baseUrl: settings.KALSHI_API_URL,
          }),
  };
}
