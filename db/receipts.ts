import type { Selectable } from 'kysely';
import type { PurchaseAnswer } from '../council/purchase.js';
import { tooLate } from '../council/purchase-refusals.js';
import type { Db, Tx } from './database.js';
import type { ReportPurchasesTable } from './schema.js';

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
