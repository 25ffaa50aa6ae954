import { type Kysely, sql } from 'kysely';

/** Purchases, prices, weekly grants, and what the house takes on in a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await purchases(db);
  await purchaseGuards(db);
  await quotes(db);
  await weeklyGrants(db);
  await grantClaims(db);
  await houseSpend(db);
}

/** Credits come from exactly one pool; the subscription takes none. */
async function purchases(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_purchases (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      api_key_id uuid references api_keys (id),
      state text not null check (state in ('charged', 'refunded', 'void')),
      kind text check (kind in ('fresh', 'cached')),
      report_id bigint references reports (id),
      lane text check (lane in ('credits', 'subscription', 'byok')),
      pool text check (pool in ('weekly_grant', 'purchased')),
      credits integer check (credits >= 0),
      charge_transfer_id bigint unique references ledger_transfers (id),
      refund_transfer_id bigint unique references ledger_transfers (id),
      created_at timestamptz not null,
      ended_at timestamptz,
      written_by xid8,
      check ((state = 'void') = (report_id is null)),
      check ((state = 'refunded') = (ended_at is not null)),
      check (state = 'void' or (kind is not null and lane is not null and credits is not null)),
      check ((refund_transfer_id is not null) = (state = 'refunded' and charge_transfer_id is not null)),
      constraint report_purchases_pool_where_charged
        check ((pool is null) = (charge_transfer_id is null) and (pool is null or lane <> 'subscription'))
    );
    create unique index report_purchases_once on report_purchases (account_id, report_id) where state = 'charged';
    create index report_purchases_report on report_purchases (report_id);
    create index report_purchases_runs on report_purchases (account_id, created_at)
    where kind = 'fresh' and state = 'charged';
    create index report_purchases_refunded_runs on report_purchases (account_id, created_at)
    where kind = 'fresh' and state = 'refunded';
    create index report_purchases_account on report_purchases (account_id, created_at desc, report_id desc)
    where report_id is not null;
    create index report_purchases_written on report_purchases (written_by)`.execute(db);
}

/** The name `writer_is_kept` sorts after those of the triggers that compare a row with its old version. */
async function purchaseGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function purchases_end_once() returns trigger language plpgsql as $$
    declare
      ending constant text[] := '{state,ended_at,refund_transfer_id}';
    begin
      if old.state <> 'charged' or new.state <> 'refunded'
         or to_jsonb(new) - ending is distinct from to_jsonb(old) - ending
         or (select reverses from ledger_transfers where id = new.refund_transfer_id)
            is distinct from old.charge_transfer_id then
        raise exception 'purchase % has ended or would be rewritten', old.id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger purchases_end_once before update on report_purchases
    for each row execute function purchases_end_once();
    create trigger purchases_are_kept before delete on report_purchases
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on report_purchases
    for each statement execute function reports_are_kept();
    create trigger writer_is_kept before insert or update on report_purchases
    for each row execute function row_keeps_its_writer();
    create table idempotency_keys (
      account_id uuid not null references accounts (id),
      key text not null check (length(key) between 1 and 255),
      fingerprint text not null,
      receipt json not null,
      created_at timestamptz not null,
      primary key (account_id, key)
    );
    create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db);
}

/**
 * Each quote keeps the price window it is in, from which the next one is computed, and the cost that moved it, so it
 * can be computed again after the model calls of its run are pruned. The price in force is never pruned.
 */
async function quotes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table quotes (
      id bigint generated always as identity primary key,
      report_id bigint not null unique references reports (id),
      fresh_credits integer not null check (fresh_credits > 0),
      estimate_usd_micros bigint not null check (estimate_usd_micros >= 0),
      simulated boolean not null,
      created_at timestamptz not null,
      window_began_at timestamptz not null,
      window_credits integer not null check (window_credits > 0),
      cost_usd_micros bigint not null check (cost_usd_micros >= 0)
    );
    create index quotes_newest on quotes (simulated, id desc);
    create index quotes_age on quotes (created_at);
    create function price_in_force_is_kept() returns trigger language plpgsql as $$
    begin
      if old.id = (select max(id) from quotes where simulated = old.simulated) then
        raise exception 'quotes keeps its rows in force' using errcode = 'restrict_violation';
      end if;
      return old;
    end $$;
    create trigger never_rewritten before update on quotes
    for each row execute function reports_are_kept();
    create trigger price_in_force_is_kept before delete on quotes
    for each row execute function price_in_force_is_kept();
    create trigger never_truncated before truncate on quotes
    for each statement execute function reports_are_kept()`.execute(db);
}

/** The primary key makes a second lot per account and week impossible. */
async function weeklyGrants(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table weekly_grants (
      account_id uuid not null references accounts (id),
      week date not null check (extract(isodow from week) = 1),
      used_by uuid unique references report_purchases (id),
      held_credits integer not null check (held_credits >= 0),
      usable_until timestamptz not null,
      created_at timestamptz not null,
      written_by xid8,
      primary key (account_id, week),
      check (used_by is null or held_credits = 0)
    );
    create index weekly_grants_to_expire on weekly_grants (usable_until) where held_credits > 0;
    create index weekly_grants_written on weekly_grants (written_by);
    create trigger weekly_grants_are_kept before delete on weekly_grants
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on weekly_grants
    for each statement execute function reports_are_kept();
    create trigger writer_is_kept before insert or update on weekly_grants
    for each row execute function row_keeps_its_writer()`.execute(db);
}

/**
 * By which mailbox and from which network a weekly grant was taken, under keyed hashes that lead to no address. One
 * mailbox has one grant a week, whatever accounts it opens.
 */
async function grantClaims(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table grant_claims (
      account_id uuid not null references accounts (id),
      week date not null,
      mailbox text,
      network text,
      site text,
      claimed_at timestamptz not null,
      primary key (account_id, week)
    );
    create unique index grant_claims_mailbox on grant_claims (week, mailbox);
    create index grant_claims_network on grant_claims (network, claimed_at);
    create index grant_claims_site on grant_claims (site, claimed_at);
    create index grant_claims_age on grant_claims (claimed_at)`.execute(db);
}

/**
 * What the house's calls of each hour cost, so that a sale does not sum the calls of its day. The calls of an hour are
 * spread over 16 rows by their ids, because each call waits for the others that add to its row. After the insert, which
 * does not happen for a call that is recorded again. In the order of the key: two statements must not deadlock.
 */
async function houseSpend(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table house_spend (
      hour timestamptz not null,
      simulated boolean not null,
      granted boolean not null,
      shard smallint not null,
      usd_micros bigint not null check (usd_micros >= 0),
      written_by xid8,
      primary key (simulated, hour, granted, shard)
    ) with (fillfactor = 50);
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
    end $$;
    create trigger house_spend_grows after insert on provider_calls
    referencing new table as added for each statement execute function house_spend_grows();
    create table ceiling_notices (
      utc_day date not null,
      simulated boolean not null,
      ceiling text not null check (ceiling in ('all', 'weekly_grants')),
      percent smallint not null check (percent in (50, 80, 100)),
      noticed_at timestamptz not null,
      primary key (utc_day, simulated, ceiling, percent)
    )`.execute(db);
}
