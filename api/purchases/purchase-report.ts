import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { utcDay } from '../../council/calendar.js';
import { idempotencyKeyMaxChars } from '../../council/limits.js';
import type { Refusal } from '../../council/problems.js';
import { decidePurchase } from '../../council/purchase/decide-purchase.js';
import {
  type Idempotency,
  isRefusal,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
} from '../../council/purchase/purchase.js';
import { findOwnedReport, readPurchaseSituation } from '../../db/purchases/purchase-situation.js';
import { rememberEvent } from '../../db/reports/events.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { assertEventId, findEvent } from './find-event.js';
import { sellExisting } from './temporal-purchaser.js';

export type ReportPurchaseRequest = Omit<PurchaseRequest, 'purchaseId' | 'answerBy' | 'utcDay'>;

/** A purchase that needs no run is decided in one short transaction. */
const answerWithinMs = 5_000;

/**
 * Sells a report: owned and cached ones from the database, a fresh one by starting a run. The cheap questions
 * come first, so that what can be refused is refused before anything is started.
 */
export async function purchaseReport(
  context: ApiContext,
  wish: ReportPurchaseRequest,
): Promise<PurchaseAnswer> {
  const answer = await sell(context, wish);
  context.metrics.purchases.inc({ answer: tellingOf(answer), lane: wish.lane });
  return answer;
}

function tellingOf(answer: PurchaseAnswer): string {
  if (isRefusal(answer)) return answer.refused;
  return answer.replayed ? 'replayed' : answer.kind;
}

async function sell(context: ApiContext, wish: ReportPurchaseRequest): Promise<PurchaseAnswer> {
  assertEventId(wish.eventId);
  const now = context.now();
  const request: PurchaseRequest = {
    ...wish,
    utcDay: utcDay(now),
    purchaseId: context.newId(),
    answerBy: new Date(now.getTime() + answerWithinMs).toISOString(),
  };
  const owned = await sellOwned(context, request);
  if (owned !== 'fresh_needed') return owned;

  const event = await findEvent(context.markets, wish.eventId);
  if (event.status === 'closed') return eventClosed;
  const existing = await sellWhatExists(context, request);
  if (existing !== 'fresh_needed') return existing;

  await rememberEvent(context.db, event, now);
  return context.desk.order({ ...wish, utcDay: request.utcDay }, event);
}

/** Asks without a lock first: most who come own nothing yet, and a wish without a key cannot have been answered before. */
async function sellOwned(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const { db, simulated } = context;
  const isNew = request.idempotency === null && (await findOwnedReport(db, request, simulated)) === null;
  return isNew ? 'fresh_needed' : sellExisting(db, request, context, 'owned');
}

/** Asks without a lock first here too: where only a run can help, it is the run that decides and charges under the lock. */
async function sellWhatExists(context: ApiContext, request: PurchaseRequest): Promise<PurchaseOutcome> {
  const situation = await readPurchaseSituation(context.db, request, {
    simulated: context.simulated,
    now: context.now(),
  });
  const { decided } = decidePurchase(request, situation, 'existing');
  return decided === 'fresh_needed' ? decided : sellExisting(context.db, request, context);
}

const eventClosed: Refusal = { refused: 'event_closed', detail: 'The event no longer trades.' };

/**
 * The `Idempotency-Key` of a request with the fingerprint of what it asks for; null where none was sent.
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
