import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { readPurchaseTimes } from './commit-times.js';

export type PurchaseRow = Awaited<ReturnType<typeof readBooks>>['purchases'][number];
export type ReportRow = Awaited<ReturnType<typeof readBooks>>['reports'][number];

/** All rows about purchases. */
export async function readBooks(db: Db) {
  const committedAt = await readPurchaseTimes(db);
  const rows = await db
    .selectFrom('report_purchases')
    .select([
      'id',
      'account_id as accountId',
      'state',
      'kind',
      'report_id as reportId',
      'lane',
      'pool',
      'credits',
      'charge_transfer_id as chargeId',
      'refund_transfer_id as refundId',
    ])
    .execute();
  const purchases = rows.map(row => ({ ...row, committedAt: committedAt.get(row.id) ?? 0 }));
  const reports = await db
    .selectFrom('reports')
    .select([
      'id',
      'account_id as accountId',
      'event_id as eventId',
      'utc_day as utcDay',
      'status',
      'lane',
      'failure_code as failure',
      'workflow_id as workflowId',
      sql<string | null>`event::jsonb ->> 'description'`.as('rules'),
      sql<number>`coalesce(jsonb_array_length(dropouts::jsonb), 0)`.as('dropouts'),
    ])
    .execute();
  const moved = await db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_accounts as holder', 'holder.id', 'entry.ledger_account_id')
    .select(['entry.transfer_id as transferId', 'holder.account_id as accountId', 'holder.name as pool'])
    .select('entry.amount_credits as credits')
    .where('holder.account_id', 'is not', null)
    .execute();
  const metered = await db.selectFrom('usage_outbox').select('id').execute();
  return { purchases, reports, moved, metered: new Set(metered.map(({ id }) => id)) };
}

export type Books = Awaited<ReturnType<typeof readBooks>>;
