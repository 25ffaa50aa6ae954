import { type Kysely, sql } from 'kysely';

/**
 * Entries of version 2 have a salt, so that their hash covers a commitment to the forecast in place of the forecast.
 * Entries that are stored already keep version 1, and so do those that a worker of the previous release still adds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table record_entries
      add column version integer not null default 1 check (version in (1, 2)),
      add column salt bytea check (length(salt) = 32),
      add constraint record_entries_salted check ((version = 1) = (salt is null))`.execute(db);
  await recordTimestamps(db);
}

/** What a time-stamp authority signed: that the chain ended with this hash at that time. */
async function recordTimestamps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table record_timestamps (
      id bigint generated always as identity primary key,
      utc_day date not null unique,
      seq bigint not null references record_entries (seq),
      hash bytea not null check (length(hash) = 32),
      authority text not null,
      token bytea not null,
      stamped_at timestamptz not null
    )`.execute(db);
  await sql`
    create trigger only_added before update or delete on record_timestamps
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on record_timestamps
    for each statement execute function reports_are_kept()`.execute(db);
}
