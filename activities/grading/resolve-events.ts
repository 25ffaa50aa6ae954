import type { Logger } from 'pino';
import type { EventSourceName, MarketEvent } from '../../council/event.js';
import { type Db, isDatabaseUnavailable } from '../../db/database.js';
import { saveEvent } from '../../db/reports/events.js';
import { saveResolution } from '../../db/track-record/grades.js';
import { type EventSource, MarketUnavailable } from '../../markets/event-source.js';
import type { GradingFailure, GradingFailureReason } from '../../record/grades/grading.js';
import type { MarketOutcomes } from '../../record/recorded-forecast.js';

export interface ResolveDependencies {
  readonly db: Db;
  readonly markets: Pick<EventSource, 'get'>;
  /** The source that `markets` reads: only its events are resolved. */
  readonly source: EventSourceName;
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
  const event = await read(deps, eventId);
  if (event === 'market_unavailable') return event;
  if (event === null) return 'event_unknown';
  try {
    // The public chain shows a forecast once its event has closed, which may be long before it is resolved.
    if (event.status === 'closed') await saveEvent(deps.db, event, deps.now());
    const isNew = await saveResolution(deps.db, {
      eventId,
      outcomes: outcomesOf(event),
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

async function read({ markets, log }: ResolveDependencies, eventId: string) {
  try {
    return await markets.get(eventId);
  } catch (err) {
    if (!(err instanceof MarketUnavailable)) log.error({ err, eventId }, 'the market could not be read');
    return 'market_unavailable' as const;
  }
}

function outcomesOf({ markets }: MarketEvent): MarketOutcomes {
  return Object.fromEntries(markets.map(({ marketId, resolution }) => [marketId, resolution]));
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
