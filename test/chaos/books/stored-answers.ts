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
 * Lets the database record when each answer is committed, because the time in the row is taken by the worker
 * before it sends it. A deferred trigger runs last in its transaction.
 */
export async function noteStoredAnswers(db: Db): Promise<void> {
  await sql`create schema chaos`.execute(db);
  await sql`create table chaos.stored (
    report_id bigint not null, stage text not null, model text not null, at timestamptz not null)`.execute(
    db,
  );
  await sql`create function chaos.note() returns trigger language plpgsql as $$
    begin
      insert into chaos.stored values (new.report_id, new.stage, new.model, clock_timestamp());
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger chaos_note after insert on stage_results
    deferrable initially deferred for each row execute function chaos.note()`.execute(db);
}

export async function readStoredAnswers(db: Db): Promise<readonly StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select report_id as "reportId", stage, model, (extract(epoch from at) * 1000)::float8 as at
    from chaos.stored`.execute(db);
  return rows;
}
