import type { Response } from 'express';
import { utcDay } from '../../council/calendar.js';
import type { MarketEvent } from '../../council/event.js';
import { isEventClosed } from '../../council/market/event-closed.js';
import {
  findOwnedReport,
  findSharedReport,
  readPurchaseSituation,
} from '../../db/purchases/purchase-situation.js';
import { countRunsLeft } from '../../db/purchases/started-runs.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import type { Reading } from '../../markets/market-reader.js';
import { decidePurchase } from '../../purchase/decide-purchase.js';
import { runsPerHour, runWindowSeconds } from '../../purchase/limits.js';
import {
  isRefusal,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
} from '../../purchase/purchase.js';
import type { ApiContext } from '../context.js';
import { findEvent, readEvent } from './find-event.js';
import { type ExistingDependencies, logCeiling, purchaseExisting } from './purchase-existing.js';
import { eventClosed, refuseClosed } from './refuse-closed.js';

export interface ReportPurchaseRequest extends Omit<PurchaseRequest, 'purchaseId' | 'answerBy' | 'utcDay'> {
  /** The event, if it was just read from the market. */
  readonly live: MarketEvent | null;
}

/**
 * Sells a report: an owned or cached one from the database, a fresh one by starting a run. The cheap checks come
 * first, so that most refusals start nothing. Only a fresh report needs the market.
 */
export async function purchaseReport(
  context: ApiContext,
  fields: ReportPurchaseRequest,
): Promise<PurchaseAnswer> {
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
  const existing = await purchaseStored(context, request, live);
  if (existing !== 'fresh_needed') return existing;

  const seen = live === null ? await findIfCheap(context, fields.eventId) : { value: live, isLive: true };
  if (seen !== null && isEventClosed(seen.value)) return eventClosed;
  const refused = await refuseFresh(context, request);
  if (refused !== 'fresh_needed') return refused;
  const event = seen?.isLive === true ? seen.value : await readEvent(context.markets, fields.eventId);
  if (isEventClosed(event)) return eventClosed;
  return context.purchaser.purchase({ ...fields, utcDay: request.utcDay }, event);
}

/** Reads without a lock first: for most events, no report is stored. */
async function purchaseStored(
  context: ApiContext,
  request: PurchaseRequest,
  live: MarketEvent | null,
): Promise<PurchaseOutcome> {
  const { db, simulated } = context;
  // Such a request can be a repetition, whatever the account owns now.
  const hasKey = request.idempotency !== null;
  const [owned, shared] = await Promise.all([
    hasKey ? null : findOwnedReport(db, request, simulated),
    findSharedReport(db, request, simulated),
  ]);
  if (hasKey || owned !== null) {
    const answer = await purchaseExisting(dependenciesOf(context), request, 'owned');
    if (answer !== 'fresh_needed') return answer;
  }
  if (shared === null) return 'fresh_needed';
  const closed = await refuseClosed(context, { eventId: request.eventId, live });
  return closed ?? purchaseExisting(dependenciesOf(context), request);
}

/**
 * The event as it was some seconds ago, to refuse a closed one before anything else is wrong. Only a caller who can pay
 * has the market read for the purchase itself: those readings come before all others, and have no limit of their own.
 */
async function findIfCheap(
  { markets }: ApiContext,
  eventId: string,
): Promise<Pick<Reading<MarketEvent>, 'value' | 'isLive'> | null> {
  try {
    return await findEvent(markets, eventId, 'check');
  } catch (error) {
    if (error instanceof MarketUnavailable) return null;
    throw error;
  }
}

/** Reads without a lock first: if a run is needed, the run decides and charges under the lock. */
async function refuseFresh(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const { db, simulated, policy, now } = context;
  const situation = await readPurchaseSituation(db, request, { simulated, policy, now: now() });
  const { decided } = decidePurchase(request, situation, 'existing');
  return decided === 'fresh_needed' ? decided : purchaseExisting(dependenciesOf(context), request);
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
