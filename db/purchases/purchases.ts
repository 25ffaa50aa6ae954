import {
  decidePurchase,
  type PurchaseDecision,
  type ReportSale,
} from '../../council/purchase/decide-purchase.js';
import {
  type AllowedOutcome,
  keyReused,
  type PurchaseAnswer,
  type PurchaseOutcome,
  type PurchaseRequest,
  type Receipt,
  tooLate,
} from '../../council/purchase/purchase.js';
import { lockAccount } from '../accounts/accounts.js';
import { recordUsage } from '../billing/usage.js';
import type { Db, Tx } from '../database.js';
import { postTransfer } from '../ledger/ledger.js';
import { fillGrant, useGrant } from '../ledger/weekly-grants.js';
import { readPurchase } from './purchase-situation.js';
import { openReport, type PurchaseSetting } from './purchased-reports.js';
import { recall, remember } from './receipts.js';

/**
 * Purchases. Invariants:
 * - a purchase is decided and charged in ONE transaction under the account's lock, or leaves no trace;
 * - one purchase id is charged at most once, and never after it was withdrawn (a `void` row, see
 *   `withdrawPurchase`) or after the caller was told "unavailable" (`answerBy`);
 * - a caller pays once for a report: whoever owns it, finished or in flight, gets it for nothing.
 */

export async function purchaseReport(
  db: Db,
  request: PurchaseRequest,
  setting: PurchaseSetting,
  reach: AllowedOutcome,
): Promise<PurchaseOutcome> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, request.accountId);
    const { receipt, situation } = await readPurchase(tx, request, setting);
    const earlier = await earlierAnswer(tx, request, receipt, setting.now);
    if (earlier !== null) return earlier;
    const outcome = await carryOut(tx, request, setting, decidePurchase(request, situation, reach));
    if (outcome !== 'fresh_needed' && !('refused' in outcome) && request.idempotency !== null) {
      await remember(tx, request.accountId, request.idempotency, outcome, setting.now);
    }
    return outcome;
  });
}

/** What this very wish was answered before: an activity may run twice, a client may ask twice. */
async function earlierAnswer(
  tx: Tx,
  request: PurchaseRequest,
  receipt: PurchaseAnswer | null,
  now: Date,
): Promise<PurchaseAnswer | null> {
  if (receipt !== null) return receipt;
  if (now.getTime() > Date.parse(request.answerBy)) return tooLate;
  if (request.idempotency === null) return null;
  const recollection = await recall(tx, request.accountId, request.idempotency, now);
  if (recollection === 'unknown') return null;
  return recollection === 'mismatch' ? keyReused : recollection;
}

async function carryOut(
  tx: Tx,
  request: PurchaseRequest,
  setting: PurchaseSetting,
  decision: PurchaseDecision,
): Promise<PurchaseOutcome> {
  switch (decision.decided) {
    case 'answer':
      return decision.answer;
    case 'fresh_needed':
      return 'fresh_needed';
    case 'sell':
      return sell(tx, request, setting, decision.sale);
  }
}

async function sell(
  tx: Tx,
  request: PurchaseRequest,
  setting: PurchaseSetting,
  sale: ReportSale,
): Promise<Receipt> {
  const { funding, kind, credits } = sale;
  const { purchaseId, accountId, lane } = request;
  const { now } = setting;
  const reportId = sale.kind === 'cached' ? sale.reportId : await openReport(tx, request, setting);
  const transferId = await takeCredits(tx, request, { ...sale, reportId }, now);
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
      ...(funding.pool === null ? {} : { pool: funding.pool }),
      ...(transferId === null ? {} : { charge_transfer_id: transferId }),
    })
    .execute();
  if (funding.pool === 'weekly_grant') await useGrant(tx, funding.grant, purchaseId, now);
  // A cached report is delivered by being sold; a fresh one is metered when it is completed.
  if (lane === 'subscription' && kind === 'cached') {
    await recordUsage(tx, { purchaseId, accountId, reportId, kind, now });
  }
  const status = kind === 'fresh' ? 'pending' : 'completed';
  return { kind, reportId, status, creditsSpent: credits, lane, pool: funding.pool, replayed: false };
}

/** @returns the id of the charge; null where nothing is taken. */
async function takeCredits(
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
