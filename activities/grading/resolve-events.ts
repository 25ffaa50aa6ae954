import type { Logger } from 'pino';
import type { MarketEvent, Venue } from '../../council/event.js';
import type { EventEnding } from '../../council/market/final-word.js';
import { type Db, isDatabaseUnavailable } from '../../db/database.js';
import { saveRules } from '../../db/reports/event-rules.js';
import { findMarketIds, saveEvent } from '../../db/reports/events.js';
import { saveResolution } from '../../db/track-record/resolutions.js';
import { parseEventName } from '../../markets/event-name.js';
import { type EventSource, MarketUnavailable, MarketUnreadable } from '../../markets/event-source.js';
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

/** Few enough for a venue's rate limit, enough for a page to end in time when it is slow. */
const concurrentReads = 4;

/** After so many events in a row that a venue did not answer about, it is asked about no more in this page. */
const unansweredInRowMax = 8;

/**
 * Reads from the venues how each event ended, and stores what is new. An event that cannot be read is named in the
 * result and does not stop the others, and a venue that hangs takes no time from another. If the database is unavailable,
 * the whole page fails and is retried.
 */
export async function resolveEvents(
  deps: ResolveDependencies,
  eventIds: readonly string[],
): Promise<ResolvedPage> {
  const venues = [...deps.venues.keys()];
  const byVenue = new Map<Venue | null, string[]>();
  for (const id of eventIds) {
    const venue = parseEventName(id, venues)?.venue ?? null;
    byVenue.set(venue, [...(byVenue.get(venue) ?? []), id]);
  }
  const parts = await Promise.all([...byVenue].map(([venue, ids]) => resolveOfVenue(deps, venue, ids)));
  return {
    events: eventIds.length,
    resolved: parts.reduce((total, { resolved }) => total + resolved, 0),
    failures: parts.flatMap(({ failures }) => failures),
  };
}

/** A venue, and how many events in a row it did not answer about. */
interface ReadVenue {
  readonly source: Pick<EventSource, 'readEnding'> | undefined;
  unansweredInRow: number;
}

async function resolveOfVenue(
  deps: ResolveDependencies,
  venue: Venue | null,
  eventIds: readonly string[],
): Promise<Pick<ResolvedPage, 'resolved' | 'failures'>> {
  const failures: GradingFailure[] = [];
  let resolved = 0;
  const read: ReadVenue = {
    source: venue === null ? undefined : deps.venues.get(venue),
    unansweredInRow: 0,
  };
  const queue = eventIds.values();
  const lanes = Array.from({ length: concurrentReads }, async () => {
    for (const id of queue) {
      const found = await resolveOne(deps, read, id);
      if (found === 'new') resolved++;
      else if (found !== 'known') failures.push({ subject: 'event', id, reason: found });
    }
  });
  await Promise.all(lanes);
  return { resolved, failures };
}

async function resolveOne(
  deps: ResolveDependencies,
  venue: ReadVenue,
  eventId: string,
): Promise<'new' | 'known' | GradingFailureReason> {
  const ending = await readEnding(deps, venue, eventId);
  if (ending === 'market_unavailable') return ending;
  if (ending === null) return 'event_unknown';
  const { event } = ending;
  try {
    // The public chain shows a forecast once its event has closed, which may be long before it is resolved.
    if (event.status === 'closed') await saveEvent(deps.db, event, deps.now());
    else await saveRules(deps.db, event, deps.now());
    const isNew = await saveResolution(deps.db, {
      eventId,
      outcomes: outcomesOf(ending),
      words: ending.words,
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

async function readEnding({ db, log }: ResolveDependencies, venue: ReadVenue, eventId: string) {
  if (venue.unansweredInRow >= unansweredInRowMax) return 'market_unavailable' as const;
  const marketIds = await findMarketIds(db, eventId);
  try {
    const ending = (await venue.source?.readEnding(eventId, marketIds)) ?? null;
    venue.unansweredInRow = 0;
    return ending;
  } catch (err) {
    if (!(err instanceof MarketUnavailable)) log.error({ err, eventId }, 'the market could not be read');
    // An answer that cannot be parsed concerns one event, and the venue is there.
    venue.unansweredInRow = err instanceof MarketUnreadable ? 0 : venue.unansweredInRow + 1;
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
