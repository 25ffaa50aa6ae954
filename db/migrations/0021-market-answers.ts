import { type Kysely, sql } from 'kysely';

/** What the market answered, for some seconds. Unlogged: it is read again after a crash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table market_answers (
      question text primary key,
      answer text,
      read_at timestamptz,
      claimed_until timestamptz,
      retry_at timestamptz,
      asked_at timestamptz not null,
      constraint market_answers_read check ((answer is null) = (read_at is null))
    )`.execute(db);
  await sql`create index market_answers_age on market_answers (asked_at)`.execute(db);
}
