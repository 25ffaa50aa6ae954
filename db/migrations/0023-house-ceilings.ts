import { type Kysely, sql } from 'kysely';

/**
 * What the house takes on in a day. Each call keeps who paid for its run, so that one index has the cost of a day; and
 * a table has the shares of a ceiling that were logged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await payersOfCalls(db);
  await sql`
    create table ceiling_notices (
      utc_day date not null,
      simulated boolean not null,
      ceiling text not null check (ceiling in ('all', 'weekly_grants')),
      percent smallint not null check (percent in (50, 80, 100)),
      noticed_at timestamptz not null,
      primary key (utc_day, simulated, ceiling, percent)
    )`.execute(db);
}

/**
 * Lane and pool of a run never change. The database fills them in, also for the version that is being replaced; 0024 does
 * so for earlier calls.
 */
async function payersOfCalls(db: Kysely<unknown>): Promise<void> {
  await sql`alter table provider_calls add column lane text, add column pool text`.execute(db);
  await sql`
    create function call_keeps_its_payer() returns trigger language plpgsql as $$
    begin
      select report.lane, purchase.pool into new.lane, new.pool
      from reports as report
      left join report_purchases as purchase on purchase.report_id = report.id and purchase.kind = 'fresh'
      where report.id = new.report_id;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger call_keeps_its_payer before insert on provider_calls
    for each row execute function call_keeps_its_payer()`.execute(db);
}
