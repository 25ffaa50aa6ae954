import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { utcDay } from '../../council/calendar.js';
import { idempotencyKeyMaxChars, runsPerHour, runWindowSeconds } from '../../council/limits.js';
import type { Refusal } from '../../council/problems.js';
import { decidePurchase } from '../../council/purchase/decide-purchase.js';
import {
  type Idempotency,
  isRefusal,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
} from '../../council/purchase/purchase.js';
import {
  countRunsLeft,
  findOwnedReport,
  readPurchaseSituation,
} from '../../db/purchases/purchase-situation.js';
import { saveEvent } from '../../db/reports/events.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { assertEventId, findEvent } from './find-event.js';
import { type ExistingDependencies, purchaseExisting } from './purchase-existing.js';

export type ReportPurchaseRequest = Omit<PurchaseRequest, 'purchaseId' | 'answerBy' | 'utcDay'>;

/** A purchase that needs no run is decided in one short transaction. */
const answerWithinMs = 5_000;

/**
 * Sells a report: an owned or cached one from the database, a fresh one by starting a run. The cheap checks come
 * first, so that most refusals start nothing.
 */
export async function purchaseReport(
  context: ApiContext,
  fields: ReportPurchaseRequest,
): Promise<PurchaseAnswer> {
  const answer = await purchase(context, fields);
  context.metrics.purchases.inc({ answer: metricLabel(answer), lane: fields.lane });
  return answer;
}

async function purchase(context: ApiContext, fields: ReportPurchaseRequest): Promise<PurchaseAnswer> {
  assertEventId(fields.eventId);
  const now = context.now();
  const request: PurchaseRequest = {
    ...fields,
    utcDay: utcDay(now),
    purchaseId: context.newId(),
    answerBy: new Date(now.getTime() + answerWithinMs).toISOString(),
  };
  const owned = await purchaseOwned(context, request);
  if (owned !== 'fresh_needed') return owned;

  const event = await findEvent(context.markets, fields.eventId);
  if (event.status === 'closed') return eventClosed;
  const cached = await purchaseCached(context, request);
  if (cached !== 'fresh_needed') return cached;

  await saveEvent(context.db, event, now);
  return context.purchaser.purchase({ ...fields, utcDay: request.utcDay }, event);
}

/** Reads without a lock first: most callers own no report, and a request without a key cannot be a repetition. */
async function purchaseOwned(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const { db, simulated } = context;
  const isNew = request.idempotency === null && (await findOwnedReport(db, request, simulated)) === null;
  return isNew ? 'fresh_needed' : purchaseExisting(dependenciesOf(context), request, 'owned');
}

/** Reads without a lock first: if a run is needed, the run decides and charges under the lock. */
async function purchaseCached(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const situation = await readPurchaseSituation(context.db, request, {
    simulated: context.simulated,
    now: context.now(),
  });
  const { decided } = decidePurchase(request, situation, 'existing');
  return decided === 'fresh_needed' ? decided : purchaseExisting(dependenciesOf(context), request);
}

function dependenciesOf({ db, simulated, now, log }: ApiContext): ExistingDependencies {
  return { db, simulated, now, onError: (err, what) => log.error({ err }, what) };
}

const eventClosed: Refusal = { refused: 'event_closed', detail: 'The event no longer trades.' };

function metricLabel(answer: PurchaseAnswer): string {
  if (isRefusal(answer)) return answer.refused;
  return answer.replayed ? 'replayed' : answer.kind;
}

/**
 * The `Idempotency-Key` of a request with the fingerprint of its body; null without the header.
 * @throws Problem `invalid_request` for an empty or overlong key.
 */
export function readIdempotency(request: Request, body: object): Idempotency | null {
  const key = request.get('idempotency-key')?.trim();
  if (key === undefined) return null;
  if (key === '' || key.length > idempotencyKeyMaxChars) {
    const detail = `must have 1 to ${idempotencyKeyMaxChars} characters`;
    throw new Problem('invalid_request', `Idempotency-Key: ${detail}`, {
      errors: [{ parameter: 'Idempotency-Key', detail }],
    });
  }
  const sorted = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  return { key, fingerprint: createHash('sha256').update(JSON.stringify(sorted)).digest('hex') };
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
