import type { Response } from 'express';
import { utcDay } from '../../council/calendar.js';
import type { MarketEvent } from '../../council/event.js';
import { isEventClosed, isProvisional } from '../../council/market/event-closed.js';
import { readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import { countRunsLeft } from '../../db/purchases/started-runs.js';
import { decidePurchase } from '../../purchase/decide-purchase.js';
import { logCeiling } from '../../purchase/house-ceilings.js';
import { runsPerHour, runWindowSeconds } from '../../purchase/limits.js';
import {
  isRefusal,
  nothingToForecast,
  type PurchaseAnswer,
  type PurchaseRequest,
} from '../../purchase/purchase.js';
import { type ExistingDependencies, purchaseExisting } from '../../sales/purchase-existing.js';
import type { ApiContext } from '../context.js';
import { readLiveEvent, readTrading } from './find-event.js';

export interface ReportPurchaseRequest extends Omit<PurchaseRequest, 'purchaseId' | 'answerBy' | 'utcDay'> {
  /** The event, if it was just read from the market. */
  readonly live: MarketEvent | null;
}

/**
 * Sells a report: an owned or cached one from the database, a fresh one by starting a run. One read without a lock says
 * which of them it will be. What is sold or refused is then decided under the lock: here, or by the run.
 */
export async function buyReport(context: ApiContext, fields: ReportPurchaseRequest): Promise<PurchaseAnswer> {
  const answer = await purchase(context, fields);
  context.metrics.purchases.inc({ answer: metricLabel(answer), lane: fields.lane });
  if (isGrantUsed(answer)) context.metrics.weeklyGrantsUsed.inc();
  return answer;
}

function isGrantUsed(answer: PurchaseAnswer): boolean {
  return !isRefusal(answer) && answer.kind === 'fresh' && answer.pool === 'weekly_grant' && !answer.replayed;
}

async function purchase(
  context: ApiContext,
  { live, ...fields }: ReportPurchaseRequest,
): Promise<PurchaseAnswer> {
  const request: PurchaseRequest = {
    ...fields,
    utcDay: utcDay(context.now()),
    purchaseId: context.newId(),
    answerBy: null,
  };
  const situation = await readPurchaseSituation(context.db, request, { ...context, now: context.now() });
  const sellExisting = (allowed?: 'owned') => purchaseExisting(dependenciesOf(context), request, allowed);
  // A request with a key can be a repetition, whatever the account owns now.
  if (situation.owned !== null || request.idempotency !== null) {
    const answer = await sellExisting('owned');
    if (answer !== 'fresh_needed') return answer;
  }
  const trading = await readTrading(context, { eventId: request.eventId, live });
  if (trading.isClosed) return nothingToForecast(trading.isProvisional);
  if (decidePurchase(request, situation, 'existing').decided !== 'fresh_needed') {
    const answer = await sellExisting();
    if (answer !== 'fresh_needed') return answer;
  }
  // Only a caller who can pay has the market read for the purchase itself: those readings have no limit of their own.
  const event = trading.live ?? (await readLiveEvent(context.markets, request.eventId));
  if (isEventClosed(event)) return nothingToForecast(isProvisional(event));
  return context.purchaser.purchase({ ...fields, utcDay: request.utcDay }, event);
}

function dependenciesOf({ db, simulated, policy, now, log }: ApiContext): ExistingDependencies {
  const onError = (err: unknown, what: string) => log.error({ err }, what);
  return { db, simulated, policy, now, onCeiling: logCeiling(log), onError };
}

function metricLabel(answer: PurchaseAnswer): string {
  if (isRefusal(answer)) return answer.countedAs ?? answer.refused;
  return answer.replayed ? 'replayed' : answer.kind;
}

/**
 * Sets how many runs the account has left this hour (draft-ietf-httpapi-ratelimit-headers). Omits the headers if the
 * count fails: the purchase is already made, and must not be answered with an error.
 */
export async function setRunLimitHeaders(
  context: ApiContext,
  response: Response,
  accountId: string,
): Promise<void> {
  try {
    const { left, secondsToNext } = await countRunsLeft(context.db, accountId, context.now());
    response.set('RateLimit-Policy', `"runs";q=${runsPerHour};w=${runWindowSeconds}`);
    response.set('RateLimit', `"runs";r=${left};t=${secondsToNext}`);
  } catch (err) {
    context.log.warn({ err }, 'the runs left could not be counted');
  }
}
