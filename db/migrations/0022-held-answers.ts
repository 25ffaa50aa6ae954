import { type Kysely, sql } from 'kysely';

/**
 * What a response that is held until its report changes needs: a notification of the end, and the places that the held
 * responses of an account take.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await notifyOfEnds(db);
  // Unlogged: a crash ends the held responses too, and no write waits for the disk. Without a reference to the account,
  // because the lock on its row would be logged.
  await sql`
    create unlogged table held_answers (
      account_id uuid primary key,
      ends timestamptz[] not null
    )`.execute(db);
}

/**
 * PostgreSQL sends a notification when its transaction commits. By a trigger, so that no statement can end a report
 * unnoticed. The end only: a transaction that notifies holds a lock of the whole server while it waits for the disk.
 */
async function notifyOfEnds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_of_end() returns trigger language plpgsql as $$
    begin
      perform pg_notify('report_changed', new.id::text);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger notify_of_end after update of status on reports
    for each row when (new.status in ('completed', 'failed'))
    execute function notify_of_end()`.execute(db);
}
