import type { Db } from './database.js';
import type { UsageState } from './schema-payments.js';

/** A usage as operators ask for it. */
export interface UsageRow {
  readonly id: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly amountUsdCents: number;
  readonly state: UsageState;
}

/** Null when no report was metered under this id. */
export async function findUsage(db: Db, id: string): Promise<UsageRow | null> {
  const row = await db
    .selectFrom('usage_outbox')
    .select([
      'id',
      'account_id as accountId',
      'report_id as reportId',
      'amount_usd_cents as amountUsdCents',
      'state',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}
