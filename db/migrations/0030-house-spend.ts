import { type Kysely, sql } from 'kysely';

/**
 * What the house's calls of each hour cost, so that a sale does not sum the calls of its day. The calls of an hour are
 * spread over 16 rows by their ids, because each call waits for the others that add to its row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table house_spend (
      hour timestamptz not null,
      simulated boolean not null,
      granted boolean not null,
      shard smallint not null,
      usd_micros bigint not null check (usd_micros >= 0),
      written_by xid8,
      primary key (simulated, hour, granted, shard)
    ) with (fillfactor = 50)`.execute(db);
  // By a trigger, so that the calls of the version that is being replaced count as well, and after the insert, which
  // does not happen for a call that is recorded again. In the order of the key: two statements must not deadlock.
  await sql`
    create function house_spend_grows() returns trigger language plpgsql as $$
    begin
      insert into house_spend as sum (hour, simulated, granted, shard, usd_micros, written_by)
      select date_trunc('hour', called_at, 'UTC'), simulated, coalesce(pool = 'weekly_grant', false),
        hashtext(call_id::text) & 15, sum(cost_usd_micros + estimated_usd_micros), pg_current_xact_id()
      from added
      where lane <> 'byok' and cost_usd_micros + estimated_usd_micros > 0
      group by 1, 2, 3, 4 order by 2, 1, 3, 4
      on conflict (simulated, hour, granted, shard) do update
      set usd_micros = sum.usd_micros + excluded.usd_micros, written_by = excluded.written_by;
      return null;
    end $$`.execute(db);
  // No call is written between this statement and the commit, so that none is counted twice or not at all.
  await sql`
    create trigger house_spend_grows after insert on provider_calls
    referencing new table as added for each statement execute function house_spend_grows()`.execute(db);
  await sql`
    insert into house_spend (hour, simulated, granted, shard, usd_micros)
    select date_trunc('hour', called_at, 'UTC'), simulated, coalesce(pool = 'weekly_grant', false), 0,
      sum(cost_usd_micros + estimated_usd_micros)
    from provider_calls
    where called_at >= date_trunc('day', now(), 'UTC') - interval '1 day'
      and lane <> 'byok' and cost_usd_micros + estimated_usd_micros > 0
    group by 1, 2, 3`.execute(db);
}
