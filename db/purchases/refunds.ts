import type { RunFailureCode } from '../../council/report.js';
import { type PurchaseAnswer, type RefundReceipt, reportNotStarted } from '../../purchase/purchase.js';
import { lockAccount } from '../accounts/accounts.js';
import { collectOwedCredits } from '../billing/reverse-purchase.js';
import type { Db, Tx } from '../database.js';
import { reverseTransfer } from '../ledger/ledger.js';
import { reopenGrant } from '../ledger/weekly-grants.js';
import { failReport } from '../reports/run.js';
import { findReceipt } from './receipts.js';

/**
 * Refunds. Invariants:
 * - a refund is the exact inverse of the charge, leg by leg, to the same pool, once; what the account owes is
 *   collected from it afterwards, by a transfer of its own;
 * - the report fails in the same transaction, so an account never holds both the refund and the report;
 * - refunding an uncharged purchase inserts a tombstone (`void`), so a late charge cannot follow;
 * - a completed report is never refunded;
 * - a weekly grant that paid is restored in full, and usable until the end of the week of the refund.
 */

export interface RefundRequest {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly failure: RunFailureCode;
  readonly now: Date;
}

export interface Refund {
  readonly receipt: RefundReceipt;
  /** False if this call refunded nothing: already refunded, never charged, or completed. */
  readonly given: boolean;
}

export async function refundPurchase(db: Db, request: RefundRequest): Promise<Refund> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, request.accountId);
    const purchase = await findCharge(tx, request.purchaseId);
    if (purchase === null) {
      await insertTombstone(tx, request);
      return { receipt: { reportId: null, credits: 0, isDelivered: false }, given: false };
    }
    const { reportId, credits, state } = purchase;
    if (state !== 'charged') {
      const refunded = state === 'refunded' ? credits : 0;
      return { receipt: { reportId, credits: refunded, isDelivered: false }, given: false };
    }
    if (reportId !== null && !(await failReport(tx, reportId, request))) {
      return { receipt: { reportId, credits: 0, isDelivered: true }, given: false };
    }
    await refundCredits(tx, purchase.transferId, request);
    await collectOwedCredits(tx, request.accountId, request.now);
    await reopenGrant(tx, { purchaseId: request.purchaseId, credits, now: request.now });
    return { receipt: { reportId, credits, isDelivered: false }, given: true };
  });
}

/**
 * Resolves a purchase whose response was lost: returns its receipt if it was made; otherwise withdraws it, so
 * a late attempt can no longer charge. Does not wait for the account's lock, which that attempt may hold while it waits
 * itself: whichever of the two inserts the row of the purchase first decides, and the other waits for its COMMIT.
 */
export async function settleOrWithdraw(
  db: Db,
  request: Omit<RefundRequest, 'failure'>,
): Promise<PurchaseAnswer> {
  const isWithdrawn = await insertTombstone(db, request);
  if (isWithdrawn) return reportNotStarted;
  return (await findReceipt(db, request.purchaseId)) ?? reportNotStarted;
}

interface Charge {
  readonly state: 'charged' | 'refunded' | 'void';
  readonly reportId: number | null;
  readonly credits: number;
  readonly transferId: number | null;
}

async function findCharge(tx: Tx, purchaseId: string): Promise<Charge | null> {
  const row = await tx
    .selectFrom('report_purchases')
    .select(['state', 'report_id as reportId', 'credits', 'charge_transfer_id as transferId'])
    .where('id', '=', purchaseId)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, credits: row.credits ?? 0 };
}

/** @returns false if the purchase has a row already */
async function insertTombstone(db: Db | Tx, purchase: Omit<RefundRequest, 'failure'>): Promise<boolean> {
  const inserted = await db
    .insertInto('report_purchases')
    .values({
      id: purchase.purchaseId,
      account_id: purchase.accountId,
      state: 'void',
      created_at: purchase.now,
    })
    .onConflict(row => row.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

async function refundCredits(tx: Tx, transferId: number | null, request: RefundRequest): Promise<void> {
  const refund =
    transferId === null
      ? {}
      : {
          refund_transfer_id: await reverseTransfer(tx, {
            transferId,
            operationKey: `refund/${request.purchaseId}`,
            reason: request.failure,
            now: request.now,
          }),
        };
  await tx
    .updateTable('report_purchases')
    .set({ state: 'refunded', ended_at: request.now, ...refund })
    .where('id', '=', request.purchaseId)
    .execute();
}
