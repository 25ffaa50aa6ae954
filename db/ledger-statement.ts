import type { Pool } from '../council/purchase.js';
import type { Db } from './database.js';
import { offsetOf, type Page, type Paging } from './paging.js';
import type { TransferKind } from './schema.js';

export interface StatementLine {
  readonly id: number;
  readonly at: Date;
  readonly kind: TransferKind;
  readonly pool: Pool;
  readonly amount_credits: number;
  readonly balance_after: number;
  readonly report_id: number | null;
  readonly api_key_id: string | null;
}

/** What moved an account's credits, newest first. */
export async function readStatement(db: Db, accountId: string, paging: Paging): Promise<Page<StatementLine>> {
  const lines = db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_transfers as transfer', 'transfer.id', 'entry.transfer_id')
    .innerJoin('ledger_accounts as holder', 'holder.id', 'entry.ledger_account_id')
    .where('holder.account_id', '=', accountId);
  const { total } = await lines.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await lines
    .select([
      'entry.id',
      'transfer.created_at as at',
      'transfer.kind',
      'holder.name as pool',
      'entry.amount_credits',
      'entry.balance_after',
      'transfer.report_id',
      'transfer.api_key_id',
    ])
    .orderBy('entry.id', 'desc')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .$narrowType<{ pool: Pool }>()
    .execute();
  return { rows, total };
}
