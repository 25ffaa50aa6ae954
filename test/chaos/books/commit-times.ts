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
 * its transaction. The function writes as its owner: the service has no table of its own.
 */
export async function noteCommits(db: Db): Promise<void> {
  await sql`create schema chaos`.execute(db);
  await sql`create table chaos.committed (what text not null, written jsonb not null, at timestamptz not null)`.execute(
    db,
  );
  await sql`create function chaos.note() returns trigger language plpgsql security definer as $$
    begin
      insert into chaos.committed values (tg_table_name, to_jsonb(new) - 'answer', clock_timestamp());
      return null;
    end $$`.execute(db);
  for (const table of ['stage_results', 'report_purchases']) {
    await sql`create constraint trigger chaos_note after insert on ${sql.table(table)}
      deferrable initially deferred for each row execute function chaos.note()`.execute(db);
  }
}

const at = sql`(extract(epoch from at) * 1000)::float8`;

export async function readStoredAnswers(db: Db): Promise<readonly StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select (written ->> 'report_id')::integer as "reportId", written ->> 'stage' as stage,
      written ->> 'model' as model, ${at} as at
    from chaos.committed where what = 'stage_results'`.execute(db);
  return rows;
}

/** When each purchase was committed, in epoch milliseconds. */
export async function readPurchaseTimes(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; at: number }>`
    select written ->> 'id' as id, ${at} as at
    from chaos.committed where what = 'report_purchases'`.execute(db);
  return new Map(rows.map(row => [row.id, row.at]));
}
