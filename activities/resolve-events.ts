import type { MarketEvent } from '../council/event.js';
import type { GradingFailure, GradingFailureReason } from '../council/grading.js';
import type { MarketOutcomes } from '../council/record.js';
import { isDatabaseAway } from '../db/is-database-away.js';
import { noteResolution } from '../db/resolutions.js';
import { MarketUnavailable } from '../markets/event-source.js';
import type { ResolvedPage } from './grading-activities.js';
import type { GradingDependencies } from './grading-dependencies.js';
import { resolutionEvidence } from './resolution-evidence.js';

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
