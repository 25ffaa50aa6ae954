import type { Selectable } from 'kysely';
import { idempotencyKeptHours } from '../../council/limits.js';
import {
  type Idempotency,
  type PurchaseAnswer,
  type Receipt,
  tooLate,
} from '../../council/purchase/purchase.js';
import type { Db, Tx } from '../database.js';
import type { ReportPurchasesTable } from '../schema.js';

/**
 * The receipt of a purchase as it was given. One that was withdrawn or given back is refused for good; null for an
 * id that nothing is known of.
 */
export async function findReceipt(db: Db | Tx, purchaseId: string): Promise<PurchaseAnswer | null> {
  const row = await receiptRow(db, purchaseId).executeTakeFirst();
  return row === undefined ? null : receiptOf(row);
}

const receiptColumns = ['state', 'kind', 'report_id', 'credits', 'lane', 'pool'] as const;

/** The same as a question, at most one row. */
export function receiptRow(db: Db | Tx, purchaseId: string) {
  return db.selectFrom('report_purchases').select(receiptColumns).where('id', '=', purchaseId);
}

export function receiptOf(
  row: Pick<Selectable<ReportPurchasesTable>, (typeof receiptColumns)[number]>,
): PurchaseAnswer {
  const { state, kind, report_id, credits, lane, pool } = row;
  if (state !== 'charged') return tooLate;
  if (kind === null || report_id === null || credits === null || lane === null) return tooLate;
  const status = kind === 'fresh' ? 'pending' : 'completed';
  return { kind, reportId: report_id, status, creditsSpent: credits, lane, pool, replayed: false };
}

/**
 * Idempotency keys. Invariants:
 * - a key is written in the transaction that charges, or not at all: a refusal leaves the key free;
 * - within 24 hours the same key gives the same receipt, and another request under it is refused.
 * Callers hold the account's lock.
 */
export type Recollection = 'unknown' | 'mismatch' | Receipt;

/** What was answered to this key before. */
export async function recall(
  tx: Tx,
  accountId: string,
  { key, fingerprint }: Idempotency,
  now: Date,
): Promise<Recollection> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'receipt'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', oldestKept(now))
    .executeTakeFirst();
  if (row === undefined) return 'unknown';
  return row.fingerprint === fingerprint ? { ...row.receipt, replayed: true } : 'mismatch';
}

/** Keeps the receipt under the key, and lets go of the account's keys that are too old to matter. */
export async function remember(
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
