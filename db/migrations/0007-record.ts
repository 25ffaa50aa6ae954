import { type Kysely, sql } from 'kysely';

/** The public record: forecasts, resolutions and grades. Rows are only added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await recordEntries(db);
  await resolutions(db);
  await grades(db);
  await trackRecords(db);
  // For the counts of the track record.
  await sql`create index reports_counted on reports (simulated, status)`.execute(db);
}

/** One entry per completed report, hashed together with the previous entry. */
async function recordEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table record_entries (
      seq bigint primary key check (seq > 0),
      report_id bigint not null unique references reports (id),
      payload text not null,
      previous_hash bytea not null unique check (length(previous_hash) = 32),
      hash bytea not null unique check (length(hash) = 32),
      created_at timestamptz not null
    )`.execute(db);
  await onlyAdded(db, 'record_entries');
  // Reports completed before this migration have no entry; one added now would prove nothing.
  await sql`create table record_began (one boolean primary key default true check (one), at timestamptz not null)`.execute(
    db,
  );
  await sql`insert into record_began (at) values (now())`.execute(db);
  await onlyAdded(db, 'record_began');
}

/** Resolutions of an event as its market reported them. A row is added only if the resolution changed. */
async function resolutions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table resolutions (
      id bigint generated always as identity primary key,
      event_id text not null references events (event_id),
      outcomes json not null,
      evidence json not null,
      observed_at timestamptz not null
    )`.execute(db);
  await sql`create index resolutions_newest on resolutions (event_id, id desc)`.execute(db);
  await onlyAdded(db, 'resolutions');
}

async function grades(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table grades (
      id bigint generated always as identity primary key,
      report_id bigint not null references reports (id),
      resolution_id bigint not null references resolutions (id),
      grader text not null,
      state text not null check (state in ('graded', 'void', 'fifty_fifty', 'disputed')),
      scores json,
      graded_at timestamptz not null,
      unique (report_id, resolution_id, grader),
      check ((state = 'graded') = (scores is not null))
    )`.execute(db);
  await sql`create index grades_newest on grades (report_id, resolution_id desc, id desc)`.execute(db);
  await onlyAdded(db, 'grades');
}

/** The published figures as last computed, so reading them costs one row. */
async function trackRecords(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table track_records (
      simulated boolean primary key,
      body json not null,
      computed_at timestamptz not null
    )`.execute(db);
}

async function onlyAdded(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    create trigger only_added before update or delete on ${sql.table(table)}
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on ${sql.table(table)}
    for each statement execute function reports_are_kept()`.execute(db);
}
