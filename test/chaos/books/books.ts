import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { editionIn } from '../deployment/gamma-stand-in.js';
import { readPurchaseTimes } from './commit-times.js';

export type PurchaseRow = Awaited<ReturnType<typeof readBooks>>['purchases'][number];
export type ReportRow = Awaited<ReturnType<typeof readBooks>>['reports'][number];

/** All purchases and reports. */
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
      'batch_id as batchId',
    ])
    .execute();
  const purchases = rows.map(row => ({ ...row, committedAt: committedAt.get(row.id) ?? 0 }));
  const reports = await db
    .selectFrom('reports')
    .select([
      'id',
      'account_id as accountId',
      'event_id as eventId',
      'status',
      'lane',
      'failure_code as failure',
      sql<string | null>`event::jsonb ->> 'description'`.as('rules'),
      sql<number>`coalesce(jsonb_array_length(dropouts::jsonb), 0)`.as('dropouts'),
    ])
    .execute();
  return {
    purchases,
    reports,
    /** By their market snapshot: purchases of one event at the same moment share it. */
    reportsOf: groupBy(reports, ({ rules }) => editionIn(rules ?? '')),
  };
}

export type Books = Awaited<ReturnType<typeof readBooks>>;

export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
