import { type Kysely, sql } from 'kysely';

/** Checkouts that are followed at Stripe until they end, payments that need a person, and what accounts owe. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await followedCheckouts(db);
  await paymentFindings(db);
  await sql`create index checkouts_owed on checkouts (account_id) where owed_credits > 0`.execute(db);
}

/** `closed_at`: ended without a payment. A payment that arrives all the same is still fulfilled. */
async function followedCheckouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table checkouts
      add column asked_at timestamptz,
      add column closed_at timestamptz`.execute(db);
  await sql`
    create index checkouts_open on checkouts (asked_at nulls first, created_at)
    where purchase_transfer_id is null and closed_at is null and stripe_session_id is not null`.execute(db);
}

/** One a session: an event that Stripe repeats adds nothing. */
async function paymentFindings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_findings (
      stripe_session_id text primary key,
      kind text not null check (kind in ('wrong_amount', 'unknown_session')),
      checkout_reference text not null,
      stripe_payment_intent_id text not null,
      paid_cents integer not null,
      currency text not null,
      found_at timestamptz not null,
      settled_at timestamptz,
      settled_reason text check (length(settled_reason) between 1 and 1000),
      check ((settled_at is null) = (settled_reason is null))
    )`.execute(db);
  await sql`
    create index payment_findings_open on payment_findings (found_at) where settled_at is null`.execute(db);
  await sql`
    create trigger findings_are_kept before delete on payment_findings
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on payment_findings
    for each statement execute function reports_are_kept()`.execute(db);
}
