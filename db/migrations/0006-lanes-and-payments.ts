import { type Kysely, sql } from 'kysely';

/** Weekly grants, the callers' own provider keys, subscriptions, checkouts and the usage outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await weeklyGrants(db);
  await providerKeys(db);
  await billingCustomers(db);
  await checkouts(db);
  await usageOutbox(db);
  await receiptsOfPurchases(db);
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
      primary key (account_id, week),
      check (used_by is null or held_credits = 0)
    )`.execute(db);
  await sql`
    create index weekly_grants_to_expire on weekly_grants (usable_until) where held_credits > 0`.execute(db);
  await sql`
    create trigger weekly_grants_are_kept before delete on weekly_grants
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on weekly_grants
    for each statement execute function reports_are_kept()`.execute(db);
}

/** Sealed with AES-256-GCM. The lengths are checked, because a truncated tag would be weaker. */
async function providerKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_keys (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      provider text not null check (provider in ('openai', 'anthropic', 'google', 'xai', 'openrouter')),
      kid text not null,
      iv bytea not null check (length(iv) = 12),
      tag bytea not null check (length(tag) = 16),
      ciphertext bytea not null check (length(ciphertext) > 0),
      last4 text not null check (length(last4) = 4),
      updated_at timestamptz not null,
      unique (account_id, provider)
    )`.execute(db);
  await sql`create index provider_keys_kid on provider_keys (kid)`.execute(db);
}

async function billingCustomers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table billing_customers (
      account_id uuid primary key references accounts (id),
      stripe_customer_id text not null unique,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table subscriptions (
      account_id uuid primary key references accounts (id),
      stripe_subscription_id text not null unique,
      status text not null,
      period_start timestamptz not null,
      period_end timestamptz not null,
      cancel_at_period_end boolean not null,
      updated_at timestamptz not null,
      check (period_end > period_start)
    )`.execute(db);
}

/** Price and credits are stored when the checkout starts; nothing that Stripe sends can change them. */
async function checkouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table checkouts (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      pack_id text not null,
      credits integer not null check (credits > 0),
      price_usd_cents integer not null check (price_usd_cents > 0),
      stripe_session_id text unique,
      stripe_payment_intent_id text unique,
      purchase_transfer_id bigint unique references ledger_transfers (id),
      refunded_usd_cents integer not null default 0 check (refunded_usd_cents between 0 and price_usd_cents),
      disputed boolean not null default false,
      taken_back_credits integer not null default 0 check (taken_back_credits between 0 and credits),
      owed_credits integer not null default 0 check (owed_credits between 0 and credits),
      created_at timestamptz not null,
      paid_at timestamptz,
      check ((purchase_transfer_id is null) = (paid_at is null)),
      check (purchase_transfer_id is not null or taken_back_credits + owed_credits = 0)
    )`.execute(db);
  await sql`create index checkouts_account on checkouts (account_id, created_at)`.execute(db);
}

/** Written in the transaction that delivers the report, and sent to Stripe by a schedule afterwards. */
async function usageOutbox(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table usage_outbox (
      id uuid primary key references report_purchases (id),
      account_id uuid not null references accounts (id),
      report_id bigint not null references reports (id),
      kind text not null check (kind in ('fresh', 'cached')),
      amount_usd_cents integer not null check (amount_usd_cents > 0),
      stripe_customer_id text not null,
      state text not null check (state in ('pending', 'sent', 'void', 'held')),
      occurred_at timestamptz not null,
      first_tried_at timestamptz,
      settled_at timestamptz,
      void_reason text check (length(void_reason) between 1 and 1000),
      check ((state = 'pending') = (settled_at is null)),
      check ((state = 'void') = (void_reason is not null))
    )`.execute(db);
  await sql`create index usage_outbox_pending on usage_outbox (occurred_at) where state = 'pending'`.execute(
    db,
  );
  await sql`create index usage_outbox_account on usage_outbox (account_id, occurred_at)`.execute(db);
  await sql`
    create trigger usage_is_kept before delete on usage_outbox
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on usage_outbox
    for each statement execute function reports_are_kept()`.execute(db);
}

/** Credits come from exactly one pool; the subscription takes none. */
async function receiptsOfPurchases(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report_purchases add constraint report_purchases_pool_where_charged
    check ((pool is null) = (charge_transfer_id is null) and (pool is null or lane <> 'subscription'))`.execute(
    db,
  );
}
