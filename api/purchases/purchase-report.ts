import type { Response } from 'express';
import { utcDay } from '../../council/calendar.js';
import type { MarketEvent, TradingStatus } from '../../council/event.js';
import { runsPerHour, runWindowSeconds } from '../../council/limits.js';
import type { Refusal } from '../../council/problems.js';
import { decidePurchase } from '../../council/purchase/decide-purchase.js';
import {
  isRefusal,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
} from '../../council/purchase/purchase.js';
import {
  countRunsLeft,
  findOwnedReport,
  findSharedReport,
  readPurchaseSituation,
} from '../../db/purchases/purchase-situation.js';
import { findLastStatus, saveEvent } from '../../db/reports/events.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import { withTimeout } from '../../net/with-timeout.js';
import type { ApiContext } from '../context.js';
import { findEvent } from './find-event.js';
import { type ExistingDependencies, purchaseExisting } from './purchase-existing.js';

export interface ReportPurchaseRequest extends Omit<PurchaseRequest, 'purchaseId' | 'answerBy' | 'utcDay'> {
  /** The event, if it was just read from the market. */
  readonly live: MarketEvent | null;
}

/** A purchase that needs no run is decided in one short transaction. */
const answerWithinMs = 5_000;

/**
 * How long the sale of an existing report waits for the market to say whether the event still trades. Afterwards, the
 * event counts as it was when it was last read.
 */
const marketPatienceMs = 2_000;

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
  return answer;
}

async function purchase(
  context: ApiContext,
  { live, ...fields }: ReportPurchaseRequest,
): Promise<PurchaseAnswer> {
  const now = context.now();
  const request: PurchaseRequest = {
    ...fields,
    utcDay: utcDay(now),
    purchaseId: context.newId(),
    answerBy: new Date(now.getTime() + answerWithinMs).toISOString(),
  };
  const owned = await purchaseOwned(context, request);
  if (owned !== 'fresh_needed') return owned;
  const cached = await purchaseCached(context, request, live);
  if (cached !== 'fresh_needed') return cached;

  const event = live ?? (await findEvent(context.markets, fields.eventId));
  if (event.status === 'closed') return eventClosed;
  const refused = await refuseFresh(context, request);
  if (refused !== 'fresh_needed') return refused;
  await saveEvent(context.db, event, now);
  return context.purchaser.purchase({ ...fields, utcDay: request.utcDay }, event);
}

/** Reads without a lock first: most callers own no report, and a request without a key cannot be a repetition. */
async function purchaseOwned(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const { db, simulated } = context;
  const isNew = request.idempotency === null && (await findOwnedReport(db, request, simulated)) === null;
  return isNew ? 'fresh_needed' : purchaseExisting(dependenciesOf(context), request, 'owned');
}

async function purchaseCached(
  context: ApiContext,
  request: PurchaseRequest,
  live: MarketEvent | null,
): Promise<PurchaseOutcome> {
  const { db, simulated } = context;
  if ((await findSharedReport(db, request, simulated)) === null) return 'fresh_needed';
  if ((await statusOf(context, request.eventId, live)) === 'closed') return eventClosed;
  return purchaseExisting(dependenciesOf(context), request);
}

/** Whether the event of a stored report trades, as the market says, or said last if it is unavailable. */
async function statusOf(
  { db, markets, now }: ApiContext,
  eventId: string,
  live: MarketEvent | null,
): Promise<TradingStatus | null> {
  try {
    const event = live ?? (await withTimeout(marketPatienceMs, findEvent(markets, eventId), tooSlow));
    if (event.status === 'closed') await saveEvent(db, event, now());
    return event.status;
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return findLastStatus(db, eventId);
  }
}

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');

/** Reads without a lock first: if a run is needed, the run decides and charges under the lock. */
async function refuseFresh(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const { db, simulated, now } = context;
  const situation = await readPurchaseSituation(db, request, { simulated, now: now() });
  const { decided } = decidePurchase(request, situation, 'existing');
  return decided === 'fresh_needed' ? decided : purchaseExisting(dependenciesOf(context), request);
}

function dependenciesOf({ db, simulated, now, log }: ApiContext): ExistingDependencies {
  return { db, simulated, now, onError: (err, what) => log.error({ err }, what) };
}

const eventClosed: Refusal = { refused: 'event_closed', detail: 'The event no longer trades.' };

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
