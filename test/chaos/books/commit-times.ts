import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';

/** When an answer became visible to other transactions. */
export interface StoredAnswer {
  readonly reportId: number;
  readonly stage: string;
  readonly model: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Lets the database record when each answer and each purchase is committed, by its own clock: the times in the
 * rows are taken by a worker before it sends them, and its clock may be wrong. A deferred trigger runs last in
 * its transaction. The functions write as their owner: the service has no table of its own.
 */
export async function noteCommits(db: Db): Promise<void> {
  await sql`create schema chaos`.execute(db);
  await sql`create table chaos.stored (
    report_id bigint not null, stage text not null, model text not null, at timestamptz not null)`.execute(
    db,
  );
  await sql`create table chaos.bought (id uuid primary key, at timestamptz not null)`.execute(db);
  await sql`create function chaos.note_answer() returns trigger language plpgsql security definer as $$
    begin
      insert into chaos.stored values (new.report_id, new.stage, new.model, clock_timestamp());
      return null;
    end $$`.execute(db);
  await sql`create function chaos.note_purchase() returns trigger language plpgsql security definer as $$
    begin
      insert into chaos.bought values (new.id, clock_timestamp());
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger chaos_note after insert on stage_results
    deferrable initially deferred for each row execute function chaos.note_answer()`.execute(db);
  await sql`create constraint trigger chaos_note after insert on report_purchases
    deferrable initially deferred for each row execute function chaos.note_purchase()`.execute(db);
}

export async function readStoredAnswers(db: Db): Promise<readonly StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select report_id as "reportId", stage, model, (extract(epoch from at) * 1000)::float8 as at
    from chaos.stored`.execute(db);
  return rows;
}

/** When each purchase was committed, in epoch milliseconds. */
export async function readPurchaseTimes(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; at: number }>`
    select id, (extract(epoch from at) * 1000)::float8 as at from chaos.bought`.execute(db);
  return new Map(rows.map(({ id, at }) => [id, at]));
}
