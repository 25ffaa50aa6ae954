import { type Kysely, sql } from 'kysely';

/** Subscriptions, checkouts, the usage outbox, payments that need a person, and how far the audit of the books has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await customers(db);
  await checkouts(db);
  await usageOutbox(db);
  await usageIndexes(db);
  await usageGuards(db);
  await paymentFindings(db);
  await auditHorizon(db);
}

async function customers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table billing_customers (
      account_id uuid primary key references accounts (id),
      stripe_customer_id text not null unique,
      created_at timestamptz not null
    );
    create table subscriptions (
      account_id uuid primary key references accounts (id),
      stripe_subscription_id text not null unique,
      status text not null,
      period_start timestamptz not null,
      period_end timestamptz not null,
      cancel_at_period_end boolean not null,
      updated_at timestamptz not null,
      ends_at timestamptz,
      check (period_end > period_start)
    )`.execute(db);
}

/**
 * Price and credits are stored when the checkout starts; nothing that Stripe sends can change them. It is followed at
 * Stripe until it ends. `closed_at`: ended without a payment. A payment that arrives all the same is still fulfilled.
 */
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
      asked_at timestamptz,
      closed_at timestamptz,
      written_by xid8,
      check ((purchase_transfer_id is null) = (paid_at is null)),
      check (purchase_transfer_id is not null or taken_back_credits + owed_credits = 0)
    );
    create index checkouts_account on checkouts (account_id, created_at);
    create index checkouts_open on checkouts (asked_at nulls first, created_at)
    where purchase_transfer_id is null and closed_at is null and stripe_session_id is not null;
    create index checkouts_owed on checkouts (account_id) where owed_credits > 0;
    create index checkouts_written on checkouts (written_by);
    create trigger writer_is_kept before insert or update on checkouts
    for each row execute function row_keeps_its_writer()`.execute(db);
}

/**
 * Written in the transaction that delivers the report, and sent to Stripe by a schedule afterwards. `next_try_at`: when a
 * pending usage is sent next, or a due cancellation is tried next. `uncertain_tries`: tries after which Stripe may have
 * the event. `settle_reason`: why an operator settled the usage or had it sent again. `cancel_series`: part of the
 * idempotency key, because Stripe repeats a recorded failure under the same key.
 */
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
      next_try_at timestamptz not null default now(),
      failures integer not null default 0 check (failures >= 0),
      uncertain_tries integer not null default 0 check (uncertain_tries >= 0),
      settle_reason text check (length(settle_reason) between 1 and 1000),
      cancellation text check (cancellation in ('due', 'done', 'expired')),
      cancel_series integer not null default 0 check (cancel_series >= 0),
      written_by xid8,
      paid_at timestamptz,
      check ((state = 'pending') = (settled_at is null)),
      check ((state = 'void') = (void_reason is not null)),
      check (cancellation is null or state = 'void')
    )`.execute(db);
}

/** Usage is sent customer by customer: Stripe accepts one call at a time for each. */
async function usageIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index usage_outbox_pending on usage_outbox (occurred_at) where state = 'pending';
    create index usage_outbox_account on usage_outbox (account_id, occurred_at);
    create index usage_outbox_due on usage_outbox (stripe_customer_id, next_try_at, id) where state = 'pending';
    create index usage_outbox_customer on usage_outbox (stripe_customer_id, occurred_at);
    create index usage_outbox_to_cancel on usage_outbox (next_try_at) where cancellation = 'due';
    create index usage_outbox_to_review on usage_outbox (occurred_at) where state = 'held' or cancellation = 'expired';
    create index usage_outbox_unpaid on usage_outbox (account_id) where paid_at is null;
    create index usage_outbox_written on usage_outbox (written_by)`.execute(db);
}

/**
 * What was used, by whom and at which price never changes; void stays void; an operator gives a reason. Usage that is
 * voided after a try is due to be cancelled, whatever voids it.
 */
async function usageGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function usage_keeps_its_terms() returns trigger language plpgsql as $$
    begin
      if (new.id, new.account_id, new.report_id, new.kind, new.amount_usd_cents, new.stripe_customer_id,
          new.occurred_at)
         is distinct from (old.id, old.account_id, old.report_id, old.kind, old.amount_usd_cents,
          old.stripe_customer_id, old.occurred_at) then
        raise exception 'usage % keeps its terms', old.id using errcode = 'restrict_violation';
      end if;
      if old.state = 'void' and new.state <> 'void' then
        raise exception 'usage % is void', old.id using errcode = 'restrict_violation';
      end if;
      if old.state in ('sent', 'held') and new.state = 'pending' and new.settle_reason is null then
        raise exception 'usage % is sent again only with a reason', old.id using errcode = 'restrict_violation';
      end if;
      if old.state = 'sent' and new.state = 'held' then
        raise exception 'usage % was sent', old.id using errcode = 'restrict_violation';
      end if;
      if new.state = 'void' and new.first_tried_at is not null and new.cancellation is null then
        new.cancellation := 'due';
      end if;
      return new;
    end $$;
    create trigger usage_keeps_its_terms before update on usage_outbox
    for each row execute function usage_keeps_its_terms();
    create trigger usage_is_kept before delete on usage_outbox
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on usage_outbox
    for each statement execute function reports_are_kept();
    create trigger writer_is_kept before insert or update of state on usage_outbox
    for each row execute function row_keeps_its_writer()`.execute(db);
}

/**
 * One a session: an event that Stripe repeats adds nothing. A payment that a bank disputes or calls fraudulent is a
 * finding about an account, and stops its subscription until it is settled. `stripe_session_id` then holds the id of
 * the dispute or of the warning, and there is no checkout.
 */
async function paymentFindings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_findings (
      stripe_session_id text primary key,
      kind text not null check (kind in ('wrong_amount', 'unknown_session', 'invoice_disputed', 'fraud_warning')),
      checkout_reference text,
      stripe_payment_intent_id text not null,
      paid_cents integer not null,
      currency text not null,
      found_at timestamptz not null,
      settled_at timestamptz,
      settled_reason text check (length(settled_reason) between 1 and 1000),
      account_id uuid references accounts (id),
      check ((settled_at is null) = (settled_reason is null)),
      check (num_nonnulls(checkout_reference, account_id) = 1)
    );
    create index payment_findings_open on payment_findings (found_at) where settled_at is null;
    create trigger findings_are_kept before delete on payment_findings
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on payment_findings
    for each statement execute function reports_are_kept()`.execute(db);
}

/**
 * Up to where an audit has found the books correct. Transaction numbers count within one cluster only.
 * `full_audit_failed_at`: when an audit of all rows last did not finish, so that it is not tried again in every round.
 */
async function auditHorizon(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_horizon (
      one boolean primary key default true check (one),
      written_before xid8 not null,
      cluster text not null,
      audited_at timestamptz not null,
      fully_audited_at timestamptz not null,
      full_audit_failed_at timestamptz
    )`.execute(db);
}
