import type { Lane, Pool } from '../../purchase/purchase.js';
import type { Db } from '../database.js';

/** A purchase as operators see it. `void` and unfinished attempts are left out. */
export interface PurchaseLine {
  readonly at: Date;
  readonly reportId: number;
  readonly state: 'charged' | 'refunded';
  readonly kind: 'fresh' | 'cached';
  readonly lane: Lane;
  readonly pool: Pool | null;
  readonly credits: number;
}

/** The newest purchases of an account. */
export async function listLastPurchases(
  db: Db,
  accountId: string,
  limit: number,
): Promise<readonly PurchaseLine[]> {
  const rows = await db
    .selectFrom('report_purchases')
    .select(['created_at as at', 'report_id as reportId', 'state', 'kind', 'lane', 'pool', 'credits'])
    .where('account_id', '=', accountId)
    .where('report_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('report_id', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ reportId, state, kind, lane, credits, ...row }) =>
    reportId === null || state === 'void' || kind === null || lane === null
      ? []
      : [{ ...row, reportId, state, kind, lane, credits: credits ?? 0 }],
  );
}
