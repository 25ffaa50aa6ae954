import type { Venue } from '../../council/event.js';
import type { Db } from '../../db/database.js';
import { searchKalshiEvents } from '../../db/market/kalshi-events.js';
import { claimMarketAnswer, releaseMarketAnswer, saveMarketAnswer } from '../../db/market/market-answers.js';
import { venueTurnsIn } from '../../db/market/venue-turns.js';
import { countUnreadable } from '../../markets/count-unreadable.js';
import { createKalshiIndex } from '../../markets/kalshi/create-kalshi-index.js';
import { createKalshiKept } from '../../markets/kalshi/kalshi-kept.js';
import { createMarketReader, type MarketReader } from '../../markets/market-reader.js';
import { openGates } from '../../markets/open-gates.js';
import { openVenue, type VenueSettings } from '../../markets/open-venue.js';
import { openGate } from '../../markets/request-budget.js';
import { createSharedReader } from '../../markets/shared/create-shared-reader.js';
import { createDirectReader, type VenueReader } from '../../markets/venue-reader.js';
import type { ApiContext } from '../context.js';

type MarketContext = Pick<ApiContext, 'db' | 'now' | 'metrics' | 'log'>;

/**
 * The venues that the settings name, read with care: answers are shared by all API processes, and this one has a budget
 * of requests to each venue. The bundled events are in memory and need neither.
 */
export function openMarket(settings: VenueSettings, context: MarketContext): MarketReader {
  return createMarketReader(
    new Map(settings.MARKETS.map(venue => [venue, openReader(venue, settings, context)])),
  );
}

function openReader(
  venue: Venue,
  settings: VenueSettings,
  { db, now, metrics, log }: MarketContext,
): VenueReader {
  const kalshiIndex = createKalshiIndex(searchKalshiEvents.bind(null, db), now);
  const kalshiKept = createKalshiKept(now);
  if (venue === 'sample') {
    return createDirectReader(openVenue(venue, settings, { gate: openGate, kalshiIndex, kalshiKept }));
  }
  const gateFor = openGates(venue, {
    now,
    requests: metrics.marketRequests,
    turns: venueTurnsIn(db),
    onStoreError: err => log.warn({ err, venue }, 'the turns at the market could not be shared'),
  });
  const sourceFor = (purpose: 'browse' | 'check' | 'purchase') =>
    countUnreadable(openVenue(venue, settings, { gate: gateFor(purpose), kalshiIndex, kalshiKept }), () =>
      metrics.marketUnreadable.inc({ venue }),
    );
  return createSharedReader(
    venue,
    { browse: sourceFor('browse'), check: sourceFor('check'), purchase: sourceFor('purchase') },
    {
      store: answersIn(db),
      now,
      onAnswer: origin => metrics.marketAnswers.inc({ venue, origin }),
      onStoreError: err => log.warn({ err, venue }, 'the answers of the market could not be shared'),
    },
  );
}

function answersIn(db: Db) {
  return {
    claim: claimMarketAnswer.bind(null, db),
    save: saveMarketAnswer.bind(null, db),
    release: releaseMarketAnswer.bind(null, db),
  };
}
