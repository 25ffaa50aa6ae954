import { type Insertable, sql } from 'kysely';
import pg from 'pg';
import type { ProgressStage } from '../../council/deliberation/stages.js';
import { isEventClosed, isProvisional } from '../../council/market/event-closed.js';
import { queriedMarket } from '../../council/market/prices.js';
import {
  decidePurchase,
  type PurchaseDecision,
  type PurchaseSituation,
  type ReportSale,
} from '../../purchase/decide-purchase.js';
import {
  afterRun,
  type CeilingNotice,
  costsHouse,
  type HouseDay,
  runEstimateUsdMicros,
  type SalesPolicy,
} from '../../purchase/house-ceilings.js';
import {
  type AllowedOutcome,
  idempotencyKeyReused,
  nothingToForecast,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
  purchaseTimedOut,
  type Receipt,
} from '../../purchase/purchase.js';
import type { Refusal } from '../../purchase/refusal.js';
import { nobody } from '../../purchase/weekly-grant.js';
import { lockAccount } from '../accounts/accounts.js';
import { buyRow } from '../batches/batch-rows.js';
import { recordUsage } from '../billing/usage.js';
import type { Db, Tx } from '../database.js';
import { type CeilingLock, NearCeiling } from '../house/house-day.js';
import { noteCeilings } from '../house/note-ceilings.js';
import { recordGrantClaim } from '../ledger/grant-claims.js';
import { postTransfer } from '../ledger/ledger.js';
import { fillGrant, useGrant } from '../ledger/weekly-grants.js';
import { readEvent } from '../reports/events.js';
import { appendingNothing, appendingWith } from '../reports/report-stream.js';
import type { Database } from '../schema/schema.js';
import { inTransaction } from '../transaction.js';
import { announceLowBalance } from '../webhooks/low-balance.js';
import { readPurchase } from './purchase-situation.js';
import { findReceiptByKey, saveReceiptUnderKey } from './receipts.js';

/**
 * Purchases. Invariants:
 * - a purchase is decided and charged in ONE transaction under the account lock, or leaves no trace;
 * - a purchase id is charged at most once, and never after it was withdrawn (a `void` row, see `settleOrWithdraw`) or
 *   after its deadline (`answerBy`), when the caller has already been answered "unavailable";
 * - a run that the house pays is sold only below the ceilings of its day, on which sales near them decide one after the
 *   other; locks are taken in the order account, ceilings, claims on grants, house, pool;
 * - the market is frozen with the charge, as it was last read for a purchase (`events`). A purchase has it read after its
 *   request, and is never charged after its deadline, so the prices are at most some seconds old;
 * - an account pays once for a report: while it owns the report, finished or in flight, further purchases
 *   cost 0;
 * - a row of a batch is bought in the transaction that charges it, once, and within the budget of its batch.
 */

/** What a new report is created with, besides the purchase request. */
export interface PurchaseContext {
  readonly now: Date;
  readonly simulated: boolean;
  readonly policy: SalesPolicy;
  /** Receives each share of a ceiling that the day has reached, once a day for all processes. */
  readonly onCeiling: (notice: CeilingNotice) => void;
  readonly eventTitle: string;
  readonly workflowId: string;
  /** Random. Stored with the report; every shuffle of the run derives from it. */
  readonly seed: string;
  /** The id reserved for the report (`reserveReportId`). If absent, the report gets the next id. */
  readonly reportId?: number;
  /** The stage that a new report starts at, with its market frozen. Absent: it stays pending. */
  readonly firstStage?: { readonly stage: ProgressStage; readonly of: number };
}

/**
 * Decides a purchase and carries the decision out: lock the account, read the situation, decide, charge.
 * @param allowedOutcome the most that this purchase may do, see {@link AllowedOutcome}
 * @throws CommitUnknown when it is unknown whether it was carried out; any other error means that it was not
 */
export async function purchaseReport(
  db: Db,
  request: PurchaseRequest,
  context: PurchaseContext,
  allowedOutcome: AllowedOutcome,
): Promise<PurchaseOutcome> {
  const attempt = (ceilingLock: CeilingLock) =>
    unlessWithdrawn(db, tx => purchaseOnce(tx, request, { ...context, ceilingLock }, allowedOutcome));
  const { outcome, notices } = await attempt('shared').catch((error: unknown) => {
    if (error instanceof NearCeiling) return attempt('exclusive');
    throw error;
  });
  notices.forEach(context.onCeiling);
  return outcome;
}

interface Decided {
  readonly outcome: PurchaseOutcome;
  readonly notices: readonly CeilingNotice[];
}

async function purchaseOnce(
  tx: Tx,
  request: PurchaseRequest,
  context: PurchaseContext & { readonly ceilingLock: CeilingLock },
  allowedOutcome: AllowedOutcome,
): Promise<Decided> {
  await lockAccount(tx, request.accountId);
  const { decided, situation } = await readPurchase(tx, request, context, allowedOutcome);
  const earlier = decided ?? (await receiptUnderKey(tx, request, context.now));
  if (earlier !== null) return { outcome: earlier, notices: [] };
  const decision = decidePurchase(request, situation, allowedOutcome);
  const isFresh = decision.decided === 'sell' && decision.sale.kind === 'fresh';
  const start = isFresh ? await startOf(tx, request, context) : 'pending';
  if (start !== 'pending' && 'refused' in start) return { outcome: start, notices: [] };
  const notices = await noteCeilings(tx, houseAfter(request, decision, situation), context);
  if (decision.decided === 'fresh_needed') return { outcome: decision.decided, notices };
  const answer =
    decision.decided === 'sell'
      ? await sell(tx, request, context, { ...decision.sale, start })
      : decision.answer;
  await announceLowBalance(tx, request, { decision, situation, now: context.now });
  if (!('refused' in answer) && request.row !== undefined) await buyRow(tx, request.row, answer, context.now);
  if (!('refused' in answer) && request.idempotency !== null) {
    await saveReceiptUnderKey(tx, request.accountId, request.idempotency, answer, context.now);
  }
  return { outcome: answer, notices };
}

/** A purchase that was withdrawn while its transaction was open is rolled back, and refused. */
async function unlessWithdrawn(db: Db, decide: (tx: Tx) => Promise<Decided>): Promise<Decided> {
  try {
    return await inTransaction(db, decide);
  } catch (error) {
    const isWithdrawn = error instanceof pg.DatabaseError && error.constraint === 'report_purchases_pkey';
    if (isWithdrawn) return { outcome: purchaseTimedOut, notices: [] };
    throw error;
  }
}

/** The ceilings after the decision: a sale takes on what its run is expected to cost. */
function houseAfter(
  { lane }: PurchaseRequest,
  decision: PurchaseDecision,
  { house, quote }: PurchaseSituation,
): HouseDay {
  if (decision.decided !== 'sell' || !costsHouse({ kind: decision.sale.kind, lane })) return house;
  return afterRun(house, runEstimateUsdMicros(quote), decision.sale.funding.pool === 'weekly_grant');
}

/** The answer to an earlier request of the client. */
async function receiptUnderKey(tx: Tx, request: PurchaseRequest, now: Date): Promise<PurchaseAnswer | null> {
  if (request.idempotency === null) return null;
  const found = await findReceiptByKey(tx, request.accountId, request.idempotency, now);
  return found === 'mismatch' ? idempotencyKeyReused : found;
}

async function sell(
  tx: Tx,
  request: PurchaseRequest,
  context: PurchaseContext,
  { start, ...sale }: ReportSale & { readonly start: RunStart },
): Promise<Receipt> {
  const { funding, kind, credits } = sale;
  const { purchaseId, accountId, lane } = request;
  const { now } = context;
  const reportId =
    sale.kind === 'cached' ? sale.reportId : await insertReport(tx, request, { ...context, start });
  const transferId = await chargeCredits(tx, request, { ...sale, reportId }, now);
  await tx
    .insertInto('report_purchases')
    .values({
      id: purchaseId,
      account_id: accountId,
      api_key_id: request.apiKeyId,
      state: 'charged',
      kind,
      report_id: reportId,
      lane,
      credits,
      created_at: now,
      ...(request.row === undefined ? {} : { batch_id: request.row.batchId }),
      ...(funding.pool === null ? {} : { pool: funding.pool }),
      ...(transferId === null ? {} : { charge_transfer_id: transferId }),
    })
    .execute();
  if (funding.pool === 'weekly_grant') {
    const { grant } = funding;
    await useGrant(tx, grant, purchaseId, now);
    if (grant.isNew) await recordGrantClaim(tx, { ...(request.claimant ?? nobody), ...grant, now });
  }
  // Selling a cached report delivers it. A fresh report is metered when it completes.
  if (lane === 'subscription' && kind === 'cached') {
    await recordUsage(tx, { purchaseId, accountId, reportId, kind, boughtAt: now });
  }
  const status = kind === 'fresh' ? 'pending' : 'completed';
  return { kind, reportId, status, creditsSpent: credits, lane, pool: funding.pool, replayed: false };
}

/** @returns the id of the charge; null on the subscription, which takes no credits. */
async function chargeCredits(
  tx: Tx,
  { purchaseId, accountId, apiKeyId }: PurchaseRequest,
  { funding, kind, reportId, credits }: ReportSale & { readonly reportId: number },
  now: Date,
): Promise<number | null> {
  if (funding.pool === null) return null;
  if (funding.pool === 'weekly_grant') await fillGrant(tx, funding.grant, { purchaseId, credits, now });
  return postTransfer(tx, {
    operationKey: `charge/${purchaseId}`,
    kind: 'charge',
    accountId,
    reportId,
    apiKeyId,
    pool: funding.pool,
    house: 'house_earned',
    amountCredits: -credits,
    reason: kind === 'fresh' ? 'fresh report' : 'cached report',
    now,
  });
}

/** What a new report has of the market; `pending` if its run does not start yet. */
type RunStart =
  | (Pick<NewReport, 'status' | 'event' | 'queried_market' | 'prices_at'> & {
      readonly stage: ProgressStage;
      readonly stage_of: number;
    })
  | 'pending';
type NewReport = Insertable<Database['reports']>;

/** The market as it was read for this purchase, or a later one. A refusal if nothing of it is left to forecast. */
async function startOf(
  tx: Tx,
  { eventId }: PurchaseRequest,
  { firstStage }: PurchaseContext,
): Promise<RunStart | Refusal> {
  if (firstStage === undefined) return 'pending';
  const { event, readAt } = await readEvent(tx, eventId);
  const queried = isEventClosed(event) ? null : queriedMarket(event);
  if (queried === null) return nothingToForecast(isProvisional(event));
  return {
    status: 'processing',
    stage: firstStage.stage,
    stage_of: firstStage.of,
    event: JSON.stringify(event),
    queried_market: queried.name,
    prices_at: readAt,
  };
}

/** Inserts the row of a new report. @returns its id. */
async function insertReport(
  tx: Tx,
  request: PurchaseRequest,
  context: PurchaseContext & { readonly start: RunStart },
): Promise<number> {
  const { start } = context;
  const values = {
    ...(context.reportId === undefined ? {} : { id: context.reportId }),
    account_id: request.accountId,
    event_id: request.eventId,
    event_title: context.eventTitle,
    utc_day: request.utcDay,
    workflow_id: context.workflowId,
    lane: request.lane,
    simulated: context.simulated,
    status: 'pending' as const,
    seed: context.seed,
    ...(start === 'pending' ? {} : start),
    created_at: context.now,
  };
  const { id } = await tx
    .with('created', qb => qb.insertInto('reports').values(values).returning('id'))
    .with('noted', () => notingStart(start))
    .selectFrom('created')
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The stream of a report begins with its first stage. */
function notingStart(start: RunStart) {
  if (start === 'pending') return appendingNothing;
  const { stage, stage_of: of } = start;
  return appendingWith(sql`(select id from created)`, { event: 'stage.started', stage, of }, sql`select`);
}
