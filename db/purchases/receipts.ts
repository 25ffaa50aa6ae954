import type { Selectable } from 'kysely';
import { idempotencyKeptHours } from '../../purchase/limits.js';
import {
  type Idempotency,
  type PurchaseAnswer,
  purchaseTimedOut,
  type Receipt,
} from '../../purchase/purchase.js';
import type { Db, Tx } from '../database.js';
import type { Database } from '../schema/schema.js';

/**
 * Receipts: how a repeated purchase gets the answer of the first. Invariants:
 * - a purchase id has one receipt; once withdrawn or refunded, it is refused for good;
 * - an idempotency key is written in the transaction that charges, or not at all: a refusal leaves the key
 *   free;
 * - for 24 hours the same key returns the same receipt, and a different request under it is refused.
 */

/** The receipt of a purchase id; null if the id is unknown. */
export async function findReceipt(db: Db | Tx, purchaseId: string): Promise<PurchaseAnswer | null> {
  const row = await receiptQuery(db, purchaseId).executeTakeFirst();
  return row === undefined ? null : receiptOf(row);
}

const receiptColumns = ['state', 'kind', 'report_id', 'credits', 'lane', 'pool'] as const;

export function receiptQuery(db: Db | Tx, purchaseId: string) {
  return db.selectFrom('report_purchases').select(receiptColumns).where('id', '=', purchaseId);
}

export function receiptOf(
  row: Pick<Selectable<Database['report_purchases']>, (typeof receiptColumns)[number]>,
): PurchaseAnswer {
  const { state, kind, report_id, credits, lane, pool } = row;
  if (state !== 'charged') return purchaseTimedOut;
  if (kind === null || report_id === null || credits === null || lane === null) return purchaseTimedOut;
  const status = kind === 'fresh' ? 'pending' : 'completed';
  return { kind, reportId: report_id, status, creditsSpent: credits, lane, pool, replayed: false };
}

/** The receipt given under this key; null for an unused key. Needs the account lock. */
export async function findReceiptByKey(
  tx: Tx,
  accountId: string,
  { key, fingerprint }: Idempotency,
  now: Date,
): Promise<Receipt | 'mismatch' | null> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'receipt'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', oldestKept(now))
    .executeTakeFirst();
  if (row === undefined) return null;
  return row.fingerprint === fingerprint ? { ...row.receipt, replayed: true } : 'mismatch';
}

/** Saves the receipt under the key, and deletes the account's expired keys. Needs the account lock. */
export async function saveReceiptUnderKey(
  tx: Tx,
  accountId: string,
  { key, fingerprint }: Idempotency,
  receipt: Receipt,
  now: Date,
): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', accountId)
    .where('created_at', '<=', oldestKept(now))
    .execute();
  await tx
    .insertInto('idempotency_keys')
    .values({ account_id: accountId, key, fingerprint, receipt: JSON.stringify(receipt), created_at: now })
    .execute();
}

function oldestKept(now: Date): Date {
  return new Date(now.getTime() - idempotencyKeptHours * 3_600_000);
}
