import type { Logger } from 'pino';
import type { MarketEvent, Venue } from '../../council/event.js';
import type { EventEnding } from '../../council/market/final-word.js';
import { type Db, isDatabaseUnavailable } from '../../db/database.js';
import { saveEvent } from '../../db/reports/events.js';
import { saveResolution } from '../../db/track-record/grades.js';
import { parseEventName } from '../../markets/event-name.js';
import { type EventSource, MarketUnavailable } from '../../markets/event-source.js';
import type { GradingFailure, GradingFailureReason } from '../../record/grades/grading.js';
import type { MarketOutcomes } from '../../record/recorded-forecast.js';

export interface ResolveDependencies {
  readonly db: Db;
  /** The configured venues: only their events are resolved. */
  readonly venues: ReadonlyMap<Venue, Pick<EventSource, 'readEnding'>>;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

export interface ResolvedPage {
  readonly events: number;
  readonly resolved: number;
  readonly failures: readonly GradingFailure[];
}

/** Few enough for the market's rate limit, enough for a page to end in time when the market is slow. */
const concurrentReads = 4;

/**
 * Reads from the market how each event ended, and stores what is new. An event that cannot be read is named in the
 * result and does not stop the others. If the database is unavailable, the whole page fails and is retried.
 */
export async function resolveEvents(
  deps: ResolveDependencies,
  eventIds: readonly string[],
): Promise<ResolvedPage> {
  const failures: GradingFailure[] = [];
  let resolved = 0;
  const queue = eventIds.values();
  const lanes = Array.from({ length: concurrentReads }, async () => {
    for (const id of queue) {
      const found = await resolveOne(deps, id);
      if (found === 'new') resolved++;
      else if (found !== 'known') failures.push({ subject: 'event', id, reason: found });
    }
  });
  await Promise.all(lanes);
  return { events: eventIds.length, resolved, failures };
}

async function resolveOne(
  deps: ResolveDependencies,
  eventId: string,
): Promise<'new' | 'known' | GradingFailureReason> {
  const ending = await read(deps, eventId);
  if (ending === 'market_unavailable') return ending;
  if (ending === null) return 'event_unknown';
  const { event } = ending;
  try {
    // The public chain shows a forecast once its event has closed, which may be long before it is resolved.
    if (event.status === 'closed') await saveEvent(deps.db, event, deps.now());
    const isNew = await saveResolution(deps.db, {
      eventId,
      outcomes: outcomesOf(ending),
      evidence: resolutionEvidence(event),
      now: deps.now(),
    });
    return isNew ? 'new' : 'known';
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    deps.log.error({ err, eventId }, 'the resolution of an event could not be stored');
    return 'not_kept';
  }
}

async function read({ venues, log }: ResolveDependencies, eventId: string) {
  const named = parseEventName(eventId, [...venues.keys()]);
  try {
    return named === null ? null : ((await venues.get(named.venue)?.readEnding(eventId)) ?? null);
  } catch (err) {
    if (!(err instanceof MarketUnavailable)) log.error({ err, eventId }, 'the market could not be read');
    return 'market_unavailable' as const;
  }
}

function outcomesOf({ event, words }: EventEnding): MarketOutcomes {
  return Object.fromEntries(
    event.markets.map(({ marketId }) => [marketId, words[marketId]?.resolution ?? 'unresolved']),
  );
}

/** No real event has more. Keeps a faulty source from filling the database. */
const marketsKeptMax = 500;

/** The state of the event and its markets when the resolution was read, stored as evidence. */
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
