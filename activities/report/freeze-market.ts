import { ApplicationFailure } from '@temporalio/common';
import { queriedMarket } from '../../council/market/implied-distribution.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { type RunFailureCode, runFailures } from '../../council/report.js';
import { freezeMarket as keepSnapshot, readRun } from '../../db/reports/run.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import type { ActivityDependencies } from './dependencies.js';
import type { FrozenMarket } from './report-activities.js';

/**
 * Reads the event once more and freezes it into the report, prices and rules. A second attempt finds the first
 * one's snapshot and leaves it: no two stages ever look at different prices.
 * @throws ApplicationFailure of a run failure's type; retryable only while the market may come back.
 */
export async function freezeMarket(
  { db, markets, now }: ActivityDependencies,
  { reportId }: { reportId: number },
): Promise<FrozenMarket> {
  const run = await readRun(db, reportId);
  const event = run.event ?? (await markets.get(run.eventId).catch(failAsUnavailable));
  if (event === null || (run.event === null && event.status === 'closed')) throw stop('event_closed');
  const queried = queriedMarket(event);
  if (queried === null) throw stop('event_closed');
  if (run.event === null) {
    await keepSnapshot(db, reportId, { event, queriedMarket: queried.name, pricesAt: now() });
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
