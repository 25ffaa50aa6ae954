import { type Kysely, sql } from 'kysely';
import { firstWeights } from '../../council/estimate/first-weights.js';
import { canonicalWeights } from '../../council/estimate/weights.js';
import { weightsSha256 } from '../digests.js';

/**
 * The weights of the estimate: artefacts, which of them was put in force when and why, and the refits. Rows are only
 * added. A new database begins with the weights that the release ships.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The text is kept as it was hashed: a JSON type would change its spaces or the digits of its numbers.
  await sql`
    create table estimate_weights (
      id text primary key,
      sha256 text not null unique check (sha256 = encode(sha256(convert_to(body, 'UTF8')), 'hex')),
      body text not null check (body::json ->> 'id' = id),
      stored_at timestamptz not null
    )`.execute(db);
  await sql`
    create table weights_activations (
      id bigint generated always as identity primary key,
      weights_id text not null references estimate_weights (id),
      cause text not null check (cause in ('first', 'refit', 'operator')),
      reason text not null,
      activated_at timestamptz not null
    )`.execute(db);
  await sql`
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
    await sql`
      create trigger only_added before update or delete on ${sql.table(table)}
      for each row execute function reports_are_kept()`.execute(db);
    await sql`
      create trigger never_truncated before truncate on ${sql.table(table)}
      for each statement execute function reports_are_kept()`.execute(db);
  }
  await sql`
    insert into estimate_weights (id, sha256, body, stored_at)
    values (${firstWeights.id}, ${weightsSha256(firstWeights)}, ${canonicalWeights(firstWeights)}, now())`.execute(
    db,
  );
  await sql`
    insert into weights_activations (weights_id, cause, reason, activated_at)
    values (${firstWeights.id}, 'first', 'the weights that the service ships with', now())`.execute(db);
}
