import type {
  PurchaseAnswer,
  PurchaseOutcome,
  PurchaseReach,
  PurchaseRequest,
  Receipt,
} from '../council/purchase.js';
import { honouredCredits } from '../council/quote.js';
import type { Refusal } from '../council/refusal.js';
import { lockAccount } from './accounts.js';
import type { Db, Tx } from './database.js';
import { recall, remember } from './idempotency.js';
import { balanceCredits, postTransfer } from './ledger.js';
import { priceOf } from './price.js';
import type { PurchaseSetting } from './purchase-setting.js';
import { findOwnedReport, findSharedReport, openReport } from './purchased-reports.js';
import { runsLeft } from './run-limit.js';

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
  reach: PurchaseReach,
): Promise<PurchaseOutcome> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, request.accountId);
    const earlier = await earlierAnswer(tx, request, setting.now);
    if (earlier !== null) return earlier;
    const outcome = await decide(tx, request, setting, reach);
    if (outcome !== 'fresh_needed' && !('refused' in outcome) && request.idempotency !== null) {
      await remember(tx, request.accountId, request.idempotency, outcome, setting.now);
    }
    return outcome;
  });
}

/** What this very wish was answered before: an activity may run twice, a client may ask twice. */
async function earlierAnswer(tx: Tx, request: PurchaseRequest, now: Date): Promise<PurchaseAnswer | null> {
  const before = await findReceipt(tx, request.purchaseId);
  if (before !== null) return before;
  if (now.getTime() > Date.parse(request.answerBy)) return tooLate;
  if (request.idempotency === null) return null;
  const recollection = await recall(tx, request.accountId, request.idempotency, now);
  if (recollection === 'unknown') return null;
  return recollection === 'mismatch' ? keyReused : recollection;
}

async function decide(
  tx: Tx,
  request: PurchaseRequest,
  setting: PurchaseSetting,
  reach: PurchaseReach,
): Promise<PurchaseOutcome> {
  const owned = await findOwnedReport(tx, request, setting.simulated);
  if (owned !== null) return { ...owned, kind: 'owned', creditsSpent: 0, replayed: false };
  if (reach === 'owned') return 'fresh_needed';

  const shared = await findSharedReport(tx, request, setting.simulated);
  const kind = shared === null ? 'fresh' : 'cached';
  const limit = kind === 'fresh' ? await runsLeft(tx, request.accountId, setting.now) : null;
  if (limit?.left === 0) return runLimitExceeded(limit.secondsToNext);

  const price = await priceOf(tx, { kind, lane: request.lane, simulated: setting.simulated });
  const credits = honouredCredits(price, request.quotedCredits);
  if (credits === null) return quoteExpired(price);
  const balance = await balanceCredits(tx, request.accountId, 'purchased');
  if (balance < credits) return insufficientCredits(credits, balance);

  if (shared === null && reach !== 'fresh') return 'fresh_needed';
  const reportId = shared ?? (await openReport(tx, request, setting));
  return charge(tx, request, setting, { kind, reportId, credits });
}

async function charge(
  tx: Tx,
  request: PurchaseRequest,
  setting: PurchaseSetting,
  sale: { kind: 'fresh' | 'cached'; reportId: number; credits: number },
): Promise<Receipt> {
  const transferId = await postTransfer(tx, {
    operationKey: `charge/${request.purchaseId}`,
    kind: 'charge',
    accountId: request.accountId,
    reportId: sale.reportId,
    apiKeyId: request.apiKeyId,
    pool: 'purchased',
    house: 'house_earned',
    amountCredits: -sale.credits,
    reason: sale.kind === 'fresh' ? 'fresh report' : 'cached report',
    now: setting.now,
  });
  await tx
    .insertInto('report_purchases')
    .values({
      id: request.purchaseId,
      account_id: request.accountId,
      api_key_id: request.apiKeyId,
      state: 'charged',
      kind: sale.kind,
      report_id: sale.reportId,
      lane: request.lane,
      pool: 'purchased',
      credits: sale.credits,
      charge_transfer_id: transferId,
      created_at: setting.now,
    })
    .execute();
  return {
    kind: sale.kind,
    reportId: sale.reportId,
    status: sale.kind === 'fresh' ? 'pending' : 'completed',
    creditsSpent: sale.credits,
    lane: request.lane,
    pool: 'purchased',
    replayed: false,
  };
}

/**
 * The receipt of a purchase as it was given. One that was withdrawn or given back is refused for good; null for an
 * id that nothing is known of.
 */
export async function findReceipt(db: Db | Tx, purchaseId: string): Promise<PurchaseAnswer | null> {
  const row = await db
    .selectFrom('report_purchases')
    .select(['state', 'kind', 'report_id', 'credits', 'lane', 'pool'])
    .where('id', '=', purchaseId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { state, kind, report_id, credits, lane, pool } = row;
  if (state !== 'charged') return tooLate;
  if (kind === null || report_id === null || credits === null || lane === null || pool === null)
    return tooLate;
  const status = kind === 'fresh' ? 'pending' : 'completed';
  return { kind, reportId: report_id, status, creditsSpent: credits, lane, pool, replayed: false };
}

const tooLate: Refusal = {
  refused: 'unavailable',
  detail: 'The purchase could not be made in time. Nothing was charged.',
  retryAfterSeconds: 2,
};

const keyReused: Refusal = {
  refused: 'idempotency_mismatch',
  detail: 'This Idempotency-Key was used within the last 24 hours for another request.',
};

function runLimitExceeded(secondsToNext: number): Refusal {
  return {
    refused: 'run_limit_exceeded',
    detail: 'An account may begin 5 fresh runs an hour. Cached and owned reports do not count.',
    retryAfterSeconds: secondsToNext,
  };
}

function quoteExpired(costCredits: number): Refusal {
  return {
    refused: 'quote_expired',
    detail: 'The price is more than 15 % away from the quote. Nothing was recorded; check again and retry.',
    data: { cost_credits: costCredits },
  };
}

function insufficientCredits(costCredits: number, balance: number): Refusal {
  return {
    refused: 'insufficient_credits',
    detail: `The report costs ${costCredits} credits and ${balance} are left.`,
    data: { cost_credits: costCredits, balance_credits: balance },
  };
}
