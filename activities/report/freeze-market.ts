import { ApplicationFailure } from '@temporalio/common';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { queriedMarket } from '../../council/market/prices.js';
import { type RunFailureCode, runFailures } from '../../council/report.js';
import type { Db } from '../../db/database.js';
import { readRun, freezeMarket as storeSnapshot } from '../../db/reports/run.js';
import { type EventSource, MarketUnavailable } from '../../markets/event-source.js';

export interface FreezeDependencies {
  readonly db: Db;
  readonly markets: EventSource;
  readonly now: () => Date;
}

export interface FrozenMarket {
  readonly queriedMarket: string;
  readonly outcomes: number;
  readonly exclusive: boolean;
}

/**
 * Reads the event again and stores its prices and rules with the report. A second attempt keeps the snapshot of the
 * first, so that all stages use the same prices.
 * @throws ApplicationFailure whose type is a run failure; retryable only while the market is unavailable.
 */
export async function freezeMarket(
  { db, markets, now }: FreezeDependencies,
  { reportId }: { reportId: number },
): Promise<FrozenMarket> {
  const run = await readRun(db, reportId);
  const event = run.event ?? (await markets.get(run.eventId).catch(failAsUnavailable));
  if (event === null || (run.event === null && event.status === 'closed')) throw stop('event_closed');
  const queried = queriedMarket(event);
  if (queried === null) throw stop('event_closed');
  if (run.event === null) {
    await storeSnapshot(db, reportId, { event, queriedMarket: queried.name, pricesAt: now() });
  }
  const { exclusive, outcomes } = outcomeSet(event);
  return { queriedMarket: queried.name, outcomes: outcomes.length, exclusive };
}

function failAsUnavailable(error: unknown): never {
  if (!(error instanceof MarketUnavailable)) throw error;
  throw ApplicationFailure.create({
    message: runFailures.market_unavailable,
    type: 'market_unavailable' satisfies RunFailureCode,
  });
}

function stop(failure: RunFailureCode): ApplicationFailure {
  return ApplicationFailure.nonRetryable(runFailures[failure], failure);
}
