import { type Kysely, sql } from 'kysely';

/**
 * Usage that Stripe refuses waits behind the others, usage that was voided after a try stays to be cancelled until
 * Stripe confirms it, and a subscription stores when it ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await usageRetries(db);
  await usageCancellations(db);
  await usageGuards(db);
  await sql`alter table subscriptions add column ends_at timestamptz`.execute(db);
  await sql`update subscriptions set ends_at = period_end where cancel_at_period_end`.execute(db);
}

/**
 * `next_try_at`: when a pending usage is sent next, or a due cancellation is tried next. `uncertain_tries`: tries after
 * which Stripe may have the event. `settle_reason`: why an operator settled the usage or had it sent again.
 */
async function usageRetries(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table usage_outbox
      add column next_try_at timestamptz not null default now(),
      add column failures integer not null default 0 check (failures >= 0),
      add column uncertain_tries integer not null default 0 check (uncertain_tries >= 0),
      add column settle_reason text check (length(settle_reason) between 1 and 1000)`.execute(db);
  await sql`update usage_outbox set next_try_at = occurred_at where state = 'pending'`.execute(db);
  // Usage is sent customer by customer: Stripe accepts one call at a time for each.
  await sql`
    create index usage_outbox_due on usage_outbox (stripe_customer_id, next_try_at, id)
    where state = 'pending'`.execute(db);
  await sql`create index usage_outbox_customer on usage_outbox (stripe_customer_id, occurred_at)`.execute(db);
}

/** `cancel_series`: part of the idempotency key, because Stripe repeats a recorded failure under the same key. */
async function usageCancellations(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table usage_outbox
      add column cancellation text check (cancellation in ('due', 'done', 'expired')),
      add column cancel_series integer not null default 0 check (cancel_series >= 0)`.execute(db);
  await sql`
    update usage_outbox set cancellation = 'due' where state = 'void' and first_tried_at is not null`.execute(
    db,
  );
  await sql`alter table usage_outbox add check (cancellation is null or state = 'void')`.execute(db);
  await sql`
    create index usage_outbox_to_cancel on usage_outbox (next_try_at) where cancellation = 'due'`.execute(db);
  await sql`
    create index usage_outbox_to_review on usage_outbox (occurred_at)
    where state = 'held' or cancellation = 'expired'`.execute(db);
}

/**
 * What was used, by whom and at which price never changes; void stays void; an operator gives a reason. Usage that is
 * voided after a try is due to be cancelled, whichever version of the service voids it.
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
    end $$`.execute(db);
  await sql`
    create trigger usage_keeps_its_terms before update on usage_outbox
    for each row execute function usage_keeps_its_terms()`.execute(db);
}
