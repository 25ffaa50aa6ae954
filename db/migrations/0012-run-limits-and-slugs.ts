import { type Kysely, sql } from 'kysely';

/**
 * Indexes for the limits of failing runs, and the slugs of events: a purchase by slug has to find the event, and what
 * the account owns of it, while the market is unavailable. A slug of digits only would read as an id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index report_purchases_refunded_runs on report_purchases (account_id, created_at)
    where kind = 'fresh' and state = 'refunded'`.execute(db);
  await sql`
    create index reports_failed_runs on reports (event_id, simulated, ended_at)
    where status = 'failed'`.execute(db);
  await sql`
    create table event_slugs (
      slug text primary key,
      event_id text not null references events (event_id)
    )`.execute(db);
  await sql`
    insert into event_slugs (slug, event_id)
    select distinct on (slug) slug, event_id
    from (
      select substr(event ->> 'url', length('https://polymarket.com/event/') + 1) as slug, event_id, read_at
      from events
      where event ->> 'url' like 'https://polymarket.com/event/%'
    ) as known
    where slug !~ '^[0-9]*$' and slug <> event_id
    order by slug, read_at desc`.execute(db);
}
