import { type Kysely, sql } from 'kysely';

/** Keeps the hourly work and the lists as fast as they are on a small database, and lets old rows be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await writtenRows(db);
  await auditHorizon(db);
  await listIndexes(db);
  await prunedRows(db);
}

/**
 * Each row that the audit compares keeps the transaction that wrote it last, as transfers do already, so an audit finds
 * what changed since the one before. Rows from before this migration have none; the first audit reads all rows.
 */
async function writtenRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function row_keeps_its_writer() returns trigger language plpgsql as $$
    begin
      new.written_by := pg_current_xact_id();
      return new;
    end $$`.execute(db);
  // The columns that are compared with other rows. Stages of a report change often and are not.
  const comparedOn = {
    report_purchases: sql`update`,
    reports: sql`update of status`,
    weekly_grants: sql`update`,
    usage_outbox: sql`update of state`,
    checkouts: sql`update`,
  };
  for (const [table, update] of Object.entries(comparedOn)) {
    await sql`alter table ${sql.table(table)} add column written_by xid8`.execute(db);
    // The name is after those of the triggers that compare a row with its old version.
    await sql`
      create trigger writer_is_kept before insert or ${update} on ${sql.table(table)}
      for each row execute function row_keeps_its_writer()`.execute(db);
  }
  for (const table of [...Object.keys(comparedOn), 'ledger_transfers']) {
    await sql`create index ${sql.ref(`${table}_written`)} on ${sql.table(table)} (written_by)`.execute(db);
  }
}

/** Up to where an audit has found the books correct. Transaction numbers count within one cluster only. */
async function auditHorizon(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_horizon (
      one boolean primary key default true check (one),
      written_before xid8 not null,
      cluster text not null,
      audited_at timestamptz not null,
      fully_audited_at timestamptz not null
    )`.execute(db);
}

async function listIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index report_purchases_account on report_purchases (account_id, created_at desc, report_id desc)
    where report_id is not null`.execute(db);
  await sql`create index accounts_email on accounts (lower(email))`.execute(db);
  await sql`create index ledger_accounts_account on ledger_accounts (account_id)`.execute(db);
  await sql`create index quotes_newest on quotes (simulated, id desc)`.execute(db);
}

/** Indexes for what is deleted by age, and a guard of quotes that keeps only the price in force. */
async function prunedRows(db: Kysely<unknown>): Promise<void> {
  await sql`create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db);
  await sql`create index provider_calls_age on provider_calls (called_at)`.execute(db);
  await sql`create index quotes_age on quotes (created_at)`.execute(db);
  await sql`create index "session_expiresAt_idx" on auth."session" ("expiresAt")`.execute(db);
  await sql`create index "verification_expiresAt_idx" on auth."verification" ("expiresAt")`.execute(db);
  await sql`
    create function price_in_force_is_kept() returns trigger language plpgsql as $$
    begin
      if old.id = (select max(id) from quotes where simulated = old.simulated) then
        raise exception 'quotes keeps its rows in force' using errcode = 'restrict_violation';
      end if;
      return old;
    end $$`.execute(db);
  await sql`drop trigger only_added on quotes`.execute(db);
  await sql`
    create trigger never_rewritten before update on quotes
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger price_in_force_is_kept before delete on quotes
    for each row execute function price_in_force_is_kept()`.execute(db);
}
