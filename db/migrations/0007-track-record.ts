import { type Kysely, sql } from 'kysely';
import { firstWeights as shipped } from '../../council/estimate/first-weights.js';
import { canonicalWeights } from '../../council/estimate/weights.js';
import { weightsSha256 } from '../digests.js';

/** The public record: forecasts, resolutions, grades, and the weights that are learnt from them. Rows are only added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await recordEntries(db);
  await grades(db);
  await estimateWeights(db);
  await firstWeights(db);
}

/**
 * One entry per completed report, hashed together with the previous entry; and what a time-stamp authority signed: that
 * the chain ended with this hash at that time.
 */
async function recordEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table record_entries (
      seq bigint primary key check (seq > 0),
      report_id bigint not null unique references reports (id),
      payload text not null,
      previous_hash bytea not null unique check (length(previous_hash) = 32),
      hash bytea not null unique check (length(hash) = 32),
      created_at timestamptz not null,
      version integer not null check (version = 1),
      salt bytea not null check (length(salt) = 32)
    );
    create table record_timestamps (
      id bigint generated always as identity primary key,
      utc_day date not null unique,
      seq bigint not null references record_entries (seq),
      hash bytea not null check (length(hash) = 32),
      authority text not null,
      token bytea not null,
      stamped_at timestamptz not null
    )`.execute(db);
  await onlyAdded(db, 'record_entries');
  await onlyAdded(db, 'record_timestamps');
}

/**
 * Resolutions of an event as its market reported them; a row is added only if the resolution changed. The published
 * figures are kept as last computed, so reading them costs one row.
 */
async function grades(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table resolutions (
      id bigint generated always as identity primary key,
      event_id text not null references events (event_id),
      outcomes json not null,
      evidence json not null,
      observed_at timestamptz not null
    );
    create index resolutions_newest on resolutions (event_id, id desc);
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
    );
    create index grades_newest on grades (report_id, resolution_id desc, id desc);
    create table track_records (
      simulated boolean primary key,
      body json not null,
      computed_at timestamptz not null
    )`.execute(db);
  await onlyAdded(db, 'resolutions');
  await onlyAdded(db, 'grades');
}

/**
 * The weights of the estimate: artefacts, which of them was put in force when and why, and the refits. The text of an
 * artefact is kept as it was hashed: a JSON type would change its spaces or the digits of its numbers.
 */
async function estimateWeights(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table estimate_weights (
      id text primary key,
      sha256 text not null unique check (sha256 = encode(sha256(convert_to(body, 'UTF8')), 'hex')),
      body text not null check (body::json ->> 'id' = id),
      stored_at timestamptz not null
    );
    create table weights_activations (
      id bigint generated always as identity primary key,
      weights_id text not null references estimate_weights (id),
      cause text not null check (cause in ('first', 'refit', 'operator')),
      reason text not null,
      activated_at timestamptz not null
    );
    create table weights_refits (
      id text primary key,
      cut_off timestamptz not null,
      incumbent_id text not null references estimate_weights (id),
      weights_id text references estimate_weights (id),
      activated boolean not null check (not activated or weights_id is not null),
      reason text not null,
      recorded_at timestamptz not null
    )`.execute(db);
  for (const table of ['estimate_weights', 'weights_activations', 'weights_refits']) {
    await onlyAdded(db, table);
  }
}

/** A new database begins with the weights that the release ships. */
async function firstWeights(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into estimate_weights (id, sha256, body, stored_at)
    values (${shipped.id}, ${weightsSha256(shipped)}, ${canonicalWeights(shipped)}, now())`.execute(db);
  await sql`
    insert into weights_activations (weights_id, cause, reason, activated_at)
    values (${shipped.id}, 'first', 'the weights that the service ships with', now())`.execute(db);
}

async function onlyAdded(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    create trigger only_added before update or delete on ${sql.table(table)}
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on ${sql.table(table)}
    for each statement execute function reports_are_kept()`.execute(db);
}
