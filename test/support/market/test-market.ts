import { openVenues } from '../../../activities/worker/open-venues.js';
import { openMarket } from '../../../api/server/open-market.js';
import type { EventSource } from '../../../markets/event-source.js';
import { emptyKalshiIndex } from '../../../markets/kalshi/kalshi-index.js';
import { createKalshiKept } from '../../../markets/kalshi/kalshi-kept.js';
import { createMarketReader } from '../../../markets/market-reader.js';
import { openVenue, type VenueSettings } from '../../../markets/open-venue.js';
import type { Pairs } from '../../../markets/pairs.js';
import { openGate } from '../../../markets/request-budget.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { createDirectReader } from '../../../markets/venue-reader.js';

interface TestMarketOptions {
  readonly gammaUrl?: string;
  readonly markets?: EventSource;
  readonly venueSettings?: VenueSettings;
  readonly pairs?: Pairs;
}

const noPairs: Pairs = { other: () => null, count: 0 };

/** The market of a test service: venues as deployed, a fake of Polymarket's APIs at an address, or events in memory. */
export function openTestMarket(
  { gammaUrl, markets = createSampleEventSource(), venueSettings, pairs = noPairs }: TestMarketOptions,
  context: Parameters<typeof openMarket>[1],
) {
  if (venueSettings !== undefined) {
    return {
      ...openVenues({ ...context, settings: venueSettings, pairs }),
      reader: openMarket(venueSettings, context),
    };
  }
  if (gammaUrl === undefined) {
    const readers = new Map([['sample' as const, createDirectReader(markets)]]);
    return {
      venues: new Map([['sample' as const, markets]]),
      kalshiEvents: null,
      readOtherVenue: async () => null,
      reader: createMarketReader(readers),
    };
  }
  const settings = {
    MARKETS: ['polymarket'],
    POLYMARKET_GAMMA_URL: gammaUrl,
    POLYMARKET_DATA_URL: gammaUrl,
    POLYMARKET_CLOB_URL: gammaUrl,
    KALSHI_API_URL: gammaUrl,
  } as const;
  const venues = new Map([
    [
      'polymarket' as const,
      openVenue('polymarket', settings, {
        gate: openGate,
        kalshiIndex: emptyKalshiIndex,
        kalshiKept: createKalshiKept(context.now),
      }),
    ],
  ]);
  return {
    venues,
    kalshiEvents: null,
    readOtherVenue: async () => null,
    reader: openMarket(settings, context),
  };
}
