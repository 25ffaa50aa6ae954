import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { noon } from './test-world.js';

/** Writes transfers and legs directly, which `db/` never does, with the service's database role. */
export async function writeTransfer(
  client: pg.ClientBase,
  accountId: string,
  { kind = 'adjustment', reverses = null }: { kind?: string; reverses?: number | null } = {},
): Promise<number> {
  const { rows } = await client.query(
    `insert into ledger_transfers (operation_key, kind, account_id, reverses, reason, created_at)
     values ($1, $2, $3, $4, 'by hand', $5) returning id`,
    [randomUUID(), kind, accountId, reverses, noon],
  );
  return rows[0].id;
}

export async function writeLeg(
  client: pg.ClientBase,
  transferId: number,
  ledgerAccountId: number,
  amountCredits: number,
): Promise<void> {
  await client.query(
    `insert into ledger_entries (transfer_id, ledger_account_id, amount_credits) values ($1, $2, $3)`,
    [transferId, ledgerAccountId, amountCredits],
  );
}

/** The id of a customer's pool (created if missing), or of a house account. */
export async function ledgerAccount(
  client: pg.ClientBase,
  name: string,
  accountId: string | null = null,
): Promise<number> {
  await client.query(
    'insert into ledger_accounts (name, account_id) values ($1, $2) on conflict do nothing',
    [name, accountId],
  );
  const { rows } = await client.query(
    'select id from ledger_accounts where name = $1 and account_id is not distinct from $2',
    [name, accountId],
  );
  return rows[0].id;
}
