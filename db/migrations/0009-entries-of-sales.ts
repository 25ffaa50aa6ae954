import { type Kysely, sql } from 'kysely';
import { grantToService } from '../service-role.js';
import { buildIndex } from './online.js';

/**
 * The record begins at the sale (ADR 34): entries of sales, completions and failures, and the table in which they wait for
 * their place in the chain. Release 1.0.0 goes on appending entries of version 1, which are of kind `completed`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await kindsOfEntries(db);
  await unsealedEntries(db);
}

/**
 * A report has one entry of each kind. The index is there before the old one goes: reports are looked up by it. Another one
 * finds the sales whose forecasts must be open.
 */
async function kindsOfEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table record_entries
      add column if not exists kind text not null default 'completed',
      add column if not exists opens_by timestamptz,
      add column if not exists sale_seq bigint`.execute(db);
  await buildIndex(db, {
    name: 'record_entries_of_report',
    on: sql`record_entries (report_id, kind)`,
    unique: true,
  });
  await buildIndex(db, {
    name: 'record_entries_sold',
    on: sql`record_entries (opens_by) include (report_id) where kind = 'sold'`,
  });
  await sql`
    alter table record_entries
      drop constraint if exists record_entries_report_id_key,
      drop constraint if exists record_entries_version_check,
      drop constraint if exists record_entries_by_version,
      add constraint record_entries_by_version check (
        case version
          when 1 then kind = 'completed' and opens_by is null and sale_seq is null
          else version = 2 and kind in ('sold', 'completed', 'failed') and opens_by is not null
            and (kind = 'sold') = (sale_seq is null)
        end) not valid`.execute(db);
  await sql`alter table record_entries validate constraint record_entries_by_version`.execute(db);
}

/** In one transaction: from the first moment on, every sale and failure has its row, also those of release 1.0.0. */
async function unsealedEntries(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('unsealed_entries') is not null as exists`.execute(db);
  if (rows[0]?.exists === true) return;
  await db.transaction().execute(async tx => {
    await sql`
      create table unsealed_entries (
        id bigint generated always as identity primary key,
        report_id bigint not null references reports (id),
        kind text not null check (kind in ('sold', 'completed', 'failed')),
        payload text,
        occurred_at timestamptz not null default now(),
        unique (report_id, kind),
        check ((kind = 'completed') = (payload is not null))
      )`.execute(tx);
    await unsealedGuards(tx);
    await unsealedTriggers(tx);
    await grantToService(tx);
  });
}

/** A row leaves only into the chain. Release 1.0.0 completes a report with an entry of its own, which ends its sale too. */
async function unsealedGuards(tx: Kysely<unknown>): Promise<void> {
  await sql`
    create function unsealed_until_in_record() returns trigger language plpgsql as $$
    begin
      perform from record_entries
      where report_id = old.report_id and (kind = old.kind or version = 1);
      if not found then
        raise exception 'report % is not in the record as %', old.report_id, old.kind
          using errcode = 'restrict_violation';
      end if;
      return old;
    end $$;
    create trigger unsealed_until_in_record before delete on unsealed_entries
    for each row execute function unsealed_until_in_record();
    create trigger never_rewritten before update on unsealed_entries
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on unsealed_entries
    for each statement execute function reports_are_kept()`.execute(tx);
}

/**
 * By triggers, so that no statement sells a report or fails one unnoticed. Runs that are under way, and those that have
 * failed, are entered now; completed ones have an entry of version 1.
 */
async function unsealedTriggers(tx: Kysely<unknown>): Promise<void> {
  await sql`
    create function report_enters_record() returns trigger language plpgsql as $$
    begin
      insert into unsealed_entries (report_id, kind) values (new.id, tg_argv[0]);
      return null;
    end $$;
    create trigger sale_enters_record after insert on reports
    for each row execute function report_enters_record('sold');
    create trigger failure_enters_record after update of status on reports
    for each row when (new.status = 'failed') execute function report_enters_record('failed')`.execute(tx);
  await sql`
    insert into unsealed_entries (report_id, kind)
    select id, kind from reports, unnest(array['sold', 'failed']) as kind
    where status <> 'completed' and (kind = 'sold' or status = 'failed')
    order by id, kind desc`.execute(tx);
}
