import type { MarketEvent } from '../../council/event.js';
import type { GradingFailure, GradingFailureReason } from '../../council/track-record/grading.js';
import type { MarketOutcomes } from '../../council/track-record/recorded-forecast.js';
import { isDatabaseAway } from '../../db/database.js';
import { noteResolution } from '../../db/track-record/grades.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import type { GradingDependencies, ResolvedPage } from './grading-activities.js';

/** Few enough for a market to bear, enough for a page to be done in time when it is slow. */
const askedAtOnce = 4;

/**
 * Asks the market how each event ended, and notes what is new. An event that cannot be read is named, and stops no
 * other; only a database that is away stops the page, which is then tried again.
 */
export async function resolveEvents(
  deps: GradingDependencies,
  eventIds: readonly string[],
): Promise<ResolvedPage> {
  const failures: GradingFailure[] = [];
  let resolved = 0;
  const waiting = eventIds.values();
  const lanes = Array.from({ length: askedAtOnce }, async () => {
    for (const id of waiting) {
      const found = await resolveOne(deps, id);
      if (found === 'new') resolved++;
      else if (found !== 'known') failures.push({ subject: 'event', id, reason: found });
    }
  });
  await Promise.all(lanes);
  return { events: eventIds.length, resolved, failures };
}

async function resolveOne(
  deps: GradingDependencies,
  eventId: string,
): Promise<'new' | 'known' | GradingFailureReason> {
  const event = await read(deps, eventId);
  if (event === 'market_unavailable') return event;
  if (event === null) return 'event_unknown';
  try {
    const isNew = await noteResolution(deps.db, {
      eventId,
      outcomes: outcomesOf(event),
      evidence: resolutionEvidence(event),
      now: deps.now(),
    });
    return isNew ? 'new' : 'known';
  } catch (err) {
    if (isDatabaseAway(err)) throw err;
    deps.log.error({ err, eventId }, 'the end of an event could not be stored');
    return 'not_kept';
  }
}

async function read({ markets, log }: GradingDependencies, eventId: string) {
  try {
    return await markets.get(eventId);
  } catch (err) {
    if (!(err instanceof MarketUnavailable)) log.error({ err, eventId }, 'the market could not be asked');
    return 'market_unavailable' as const;
  }
}

function outcomesOf({ markets }: MarketEvent): MarketOutcomes {
  return Object.fromEntries(markets.map(({ marketId, resolution }) => [marketId, resolution]));
}

/** No event has more; a source gone mad must not fill the database. */
const marketsKeptMax = 500;

/** What the market said of the event and each of its markets when its end was read, as far as it is worth keeping. */
function resolutionEvidence(event: MarketEvent): object {
  const { source, status, closesAt, markets } = event;
  return {
    source,
    status,
    closes_at: closesAt,
    markets: markets.slice(0, marketsKeptMax).map(market => ({
      market_id: market.marketId,
      status: market.status,
      resolution: market.resolution,
      best_bid: market.bestBid,
      best_ask: market.bestAsk,
      last_trade: market.lastTrade,
    })),
    markets_not_kept: Math.max(0, markets.length - marketsKeptMax),
  };
}
