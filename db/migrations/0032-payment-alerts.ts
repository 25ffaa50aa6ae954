import { type Kysely, sql } from 'kysely';

/**
 * Payments that a bank disputes or calls fraudulent become findings about an account, which stop its subscription until
 * they are settled. `stripe_session_id` then holds the id of the dispute or of the warning, and there is no checkout.
 * Usage knows when its invoice was paid. What was metered before counts as paid: no event has told otherwise.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment_findings
      add column account_id uuid,
      add foreign key (account_id) references accounts (id) not valid,
      alter column checkout_reference drop not null,
      drop constraint payment_findings_kind_check,
      add constraint payment_findings_kind_check
        check (kind in ('wrong_amount', 'unknown_session', 'invoice_disputed', 'fraud_warning'))
        not valid,
      add check (num_nonnulls(checkout_reference, account_id) = 1) not valid`.execute(db);
  // The default of existing rows is stored once, without a pass over the table.
  await sql`alter table usage_outbox add column paid_at timestamptz default now()`.execute(db);
  await sql`alter table usage_outbox alter column paid_at drop default`.execute(db);
}
