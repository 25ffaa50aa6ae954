import { sql } from 'kysely';
import type { Pool } from '../../purchase/purchase.js';
import type { Db, Tx } from '../database.js';
import { offsetOf, type Page, type Paging } from '../paging.js';
import type { DB } from '../schema/tables.js';

/**
 * The double-entry ledger, in whole credits. Invariants, each enforced by the database:
 * - a transfer has at least two legs, which add up to zero (checked at commit);
 * - transfers and entries are never changed, deleted or truncated, and an old transfer gets no further leg;
 * - only an entry changes a balance, and a balance equals the sum of its entries;
 * - a customer's balance is never negative;
 * - an operation key has one transfer, and a charge has at most one refund.
 * Callers hold the account lock (`lockAccount`).
 */

export type TransferKind = DB['ledger_transfers']['kind'];

export interface Posting {
  readonly operationKey: string;
  readonly kind: Exclude<TransferKind, 'refund'>;
  readonly accountId: string;
  readonly reportId: number | null;
  readonly apiKeyId: string | null;
  readonly pool: Pool;
  readonly house: 'house_issued' | 'house_earned';
  /** Credits added to the customer's pool; negative for a charge. */
  readonly amountCredits: number;
  readonly reason: string;
  readonly now: Date;
}

/** @returns the id of the transfer. */
export async function postTransfer(tx: Tx, posting: Posting): Promise<number> {
  const { accountId, pool, house } = posting;
  const transfer = await tx
    .insertInto('ledger_transfers')
    .values({
      operation_key: posting.operationKey,
      kind: posting.kind,
      account_id: accountId,
      report_id: posting.reportId,
      api_key_id: posting.apiKeyId,
      reason: posting.reason,
      created_at: posting.now,
    })
    .returning([
      'id',
      poolOf(tx, accountId, pool).select('id').as('poolId'),
      houseId(tx, house).as('houseId'),
    ])
    .executeTakeFirstOrThrow();
  if (transfer.houseId === null) throw new Error(`the ledger has no account ${house}`);
  await writeLegs(tx, transfer.id, [
    {
      ledgerAccountId: transfer.poolId ?? (await openPool(tx, posting)),
      amountCredits: posting.amountCredits,
    },
    { ledgerAccountId: transfer.houseId, amountCredits: -posting.amountCredits },
  ]);
  return transfer.id;
}

export interface Reversal {
  readonly transferId: number;
  readonly operationKey: string;
  readonly reason: string;
  readonly now: Date;
}

/** Writes the inverse of the legs as they were written. @returns the id of the refund. */
export async function reverseTransfer(tx: Tx, reversal: Reversal): Promise<number> {
  const charge = await tx
    .selectFrom('ledger_transfers')
    .select(['account_id', 'report_id', 'api_key_id'])
    .where('id', '=', reversal.transferId)
    .executeTakeFirstOrThrow();
  const legs = await tx
    .selectFrom('ledger_entries')
    .select(['ledger_account_id', 'amount_credits'])
    .where('transfer_id', '=', reversal.transferId)
    .orderBy('id')
    .execute();
  const { id } = await tx
    .insertInto('ledger_transfers')
    .values({
      ...charge,
      operation_key: reversal.operationKey,
      kind: 'refund',
      reverses: reversal.transferId,
      reason: reversal.reason,
      created_at: reversal.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeLegs(
    tx,
    id,
    legs.map(leg => ({ ledgerAccountId: leg.ledger_account_id, amountCredits: -leg.amount_credits })),
  );
  return id;
}

/** Credits in one pool of an account; 0 if nothing was ever posted. */
export async function balanceCredits(db: Db | Tx, accountId: string, pool: Pool): Promise<number> {
  const row = await balanceQuery(db, accountId, pool).executeTakeFirst();
  return row?.balance_credits ?? 0;
}

export function balanceQuery(db: Db | Tx, accountId: string, pool: Pool) {
  return poolOf(db, accountId, pool).select('balance_credits');
}

/** There is no row before the first posting to the pool. */
function poolOf(db: Db | Tx, accountId: string, pool: Pool) {
  return db.selectFrom('ledger_accounts').where('account_id', '=', accountId).where('name', '=', pool);
}

interface Leg {
  readonly ledgerAccountId: number;
  readonly amountCredits: number;
}

/**
 * Locks all accounts of the house first, in the order of their ids, also those that no leg is for: a transaction that
 * writes several transfers, such as a grant and its charge, would otherwise lock them in the order of its transfers, and
 * deadlock with a refund that collects a debt. Pools need no order, because the caller holds the lock of their account.
 */
async function writeLegs(tx: Tx, transferId: number, legs: readonly Leg[]): Promise<void> {
  const holders = legs.map(({ ledgerAccountId }) => ledgerAccountId);
  const amounts = legs.map(({ amountCredits }) => amountCredits);
  await sql`
    with house as (select id from ledger_accounts where account_id is null order by id for no key update)
    insert into ledger_entries (transfer_id, ledger_account_id, amount_credits)
    select ${transferId}::bigint, leg.* from unnest(${holders}::bigint[], ${amounts}::bigint[]) as leg
    where (select count(*) from house) > 0`.execute(tx);
}

function houseId(tx: Tx, house: Posting['house']) {
  return tx
    .selectFrom('ledger_accounts')
    .select('id')
    .where('account_id', 'is', null)
    .where('name', '=', house);
}

/** A pool is created by its first posting. */
async function openPool(tx: Tx, { accountId, pool }: Posting): Promise<number> {
  const { id } = await tx
    .insertInto('ledger_accounts')
    .values({ name: pool, account_id: accountId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

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

/** The entries of an account's pools, newest first. */
export async function readStatement(db: Db, accountId: string, paging: Paging): Promise<Page<StatementLine>> {
  const { total } = await countStatementQuery(db, accountId).executeTakeFirstOrThrow();
  const rows = await statementPageQuery(db, accountId, paging).execute();
  return { rows, total };
}

function statementPageQuery(db: Db, accountId: string, paging: Paging) {
  return (
    statementLines(db, accountId)
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
      // The order of an account's entries, because both are written under its lock, and that of an index.
      .orderBy('transfer.id', 'desc')
      .orderBy('entry.id', 'desc')
      .limit(paging.perPage)
      .offset(offsetOf(paging))
      .$narrowType<{ pool: Pool }>()
  );
}

function countStatementQuery(db: Db, accountId: string) {
  return statementLines(db, accountId).select(eb => eb.fn.countAll<number>().as('total'));
}

function statementLines(db: Db, accountId: string) {
  return db
    .selectFrom('ledger_transfers as transfer')
    .innerJoin('ledger_entries as entry', 'entry.transfer_id', 'transfer.id')
    .innerJoin('ledger_accounts as holder', 'holder.id', 'entry.ledger_account_id')
    .where('transfer.account_id', '=', accountId)
    .where('holder.account_id', '=', accountId);
}
