import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
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
      check ((state = 'void') = (report_id is null)),
      check ((state = 'refunded') = (ended_at is not null)),
      check (state = 'void' or (kind is not null and lane is not null and credits is not null)),
      check ((refund_transfer_id is not null) = (state = 'refunded' and charge_transfer_id is not null))
    )`.execute(db);
  await sql`
    create unique index report_purchases_once on report_purchases (account_id, report_id)
    where state = 'charged'`.execute(db);
  await sql`create index report_purchases_report on report_purchases (report_id)`.execute(db);
  await sql`
    create index report_purchases_runs on report_purchases (account_id, created_at)
    where kind = 'fresh' and state = 'charged'`.execute(db);
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
    end $$`.execute(db);
  await sql`
    create trigger purchases_end_once before update on report_purchases
    for each row execute function purchases_end_once()`.execute(db);
  await sql`
    create trigger purchases_are_kept before delete on report_purchases
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on report_purchases
    for each statement execute function reports_are_kept()`.execute(db);
  await sql`
    create table idempotency_keys (
      account_id uuid not null references accounts (id),
      key text not null check (length(key) between 1 and 255),
      fingerprint text not null,
      receipt json not null,
      created_at timestamptz not null,
      primary key (account_id, key)
    )`.execute(db);
  await sql`
    create table quotes (
      id bigint generated always as identity primary key,
      report_id bigint not null unique references reports (id),
      fresh_credits integer not null check (fresh_credits > 0),
      estimate_usd_micros bigint not null check (estimate_usd_micros >= 0),
      simulated boolean not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create trigger only_added before update or delete on quotes
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on quotes
    for each statement execute function reports_are_kept()`.execute(db);
}
