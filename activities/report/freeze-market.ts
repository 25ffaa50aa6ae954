import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isEventClosed } from '../../council/market/event-closed.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { queriedMarket } from '../../council/market/prices.js';
import type { CouncilModel } from '../../council/models.js';
import { type RunFailureCode, runFailures } from '../../council/report.js';
import type { Db } from '../../db/database.js';
import { readRun, freezeMarket as storeSnapshot } from '../../db/reports/run.js';
import { type EventSource, MarketUnavailable } from '../../markets/event-source.js';
import type { ModelCatalogue } from '../../providers/model-catalogue.js';
import { marketRetriedForSeconds } from '../../purchase/limits.js';
import { firstStageOf, searchersOf } from './searchers.js';

export interface FreezeDependencies {
  readonly db: Db;
  readonly markets: EventSource;
  readonly catalogue: ModelCatalogue;
  readonly now: () => Date;
}

export interface FrozenMarket {
  readonly queriedMarket: string;
  readonly outcomes: number;
  readonly exclusive: boolean;
  /** The members that search the web, by the model catalogue. */
  readonly searchers: readonly CouncilModel[];
}

/**
 * Reads the event again and stores its prices and rules with the report. A second attempt keeps the snapshot of the
 * first, so that all stages use the same prices.
 * @throws ApplicationFailure whose type is a run failure; retryable only while the market is unavailable, and only for
 * some seconds. Every other error is ours, and is retried for as long as the step may take.
 */
export async function freezeMarket(
  { db, markets, catalogue, now }: FreezeDependencies,
  { reportId, searches }: { reportId: number; searches: boolean },
): Promise<FrozenMarket> {
  const run = await readRun(db, reportId);
  const begunMs = now().getTime();
  const event =
    run.event ??
    (await markets.get(run.eventId).catch(error => failAsUnavailable(error, now().getTime() - begunMs)));
  if (event === null || (run.event === null && isEventClosed(event))) throw stop('event_closed');
  const queried = queriedMarket(event);
  if (queried === null) throw stop('event_closed');
  const searchers = searchersOf(catalogue, searches);
  if (run.event === null) {
    await storeSnapshot(db, reportId, {
      event,
      queriedMarket: queried.name,
      pricesAt: now(),
      firstStage: firstStageOf(searchers),
    });
  }
  const { exclusive, outcomes } = outcomeSet(event);
  return { queriedMarket: queried.name, outcomes: outcomes.length, exclusive, searchers };
}

/** @param elapsedMs of this attempt. That of earlier attempts is the difference of two times of the server's clock. */
function failAsUnavailable(error: unknown, elapsedMs: number): never {
  if (!(error instanceof MarketUnavailable)) throw error;
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  const triedForMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs + elapsedMs;
  throw ApplicationFailure.create({
    message: runFailures.market_unavailable,
    type: 'market_unavailable' satisfies RunFailureCode,
    nonRetryable: triedForMs >= marketRetriedForSeconds * 1_000,
  });
}

function stop(failure: RunFailureCode): ApplicationFailure {
  return ApplicationFailure.nonRetryable(runFailures[failure], failure);
}
