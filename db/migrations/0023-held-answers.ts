import { type Kysely, sql } from 'kysely';

/**
 * What a response that is held until its report changes needs: a notification of each change that a caller can see,
 * and the places that the held responses of an account take.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await notifyOfReports(db);
  await notifyOfAnswers(db);
  // Unlogged: a crash ends the held responses too, and no write waits for the disk. Without a reference to the account,
  // because the lock on its row would be logged.
  await sql`
    create unlogged table held_answers (
      account_id uuid primary key,
      ends timestamptz[] not null
    )`.execute(db);
}

/**
 * PostgreSQL sends a notification when its transaction commits, and equal ones of one transaction once. By triggers, so
 * that no statement can change a report unnoticed.
 */
async function notifyOfReports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_of_report() returns trigger language plpgsql as $$
    begin
      perform pg_notify('report_changed', new.id::text);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger notify_of_report after update of status, stage on reports
    for each row when ((old.status, old.stage) is distinct from (new.status, new.stage))
    execute function notify_of_report()`.execute(db);
}

async function notifyOfAnswers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_of_answer() returns trigger language plpgsql as $$
    begin
      perform pg_notify('report_changed', new.report_id::text);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger notify_of_answer after insert on stage_results
    for each row execute function notify_of_answer()`.execute(db);
}
