import { type Kysely, sql } from 'kysely';

/** The addresses to which accounts have events sent, and the deliveries to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await endpoints(db);
  await deliveries(db);
}

/** A secret is sealed like a provider key. One with an end goes on signing until then, beside the present one. */
async function endpoints(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_endpoints (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      url text not null check (length(url) between 1 and 2000),
      types text[] not null check (cardinality(types) > 0),
      description text check (length(description) <= 200),
      status text not null check (status in ('active', 'disabled')),
      disabled_reason text check (disabled_reason in ('asked', 'gone', 'failing')),
      created_at timestamptz not null,
      last_delivery_at timestamptz,
      constraint webhook_endpoints_disabled check ((status = 'disabled') = (disabled_reason is not null))
    );
    create index webhook_endpoints_account on webhook_endpoints (account_id);
    create table webhook_secrets (
      id uuid primary key,
      endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
      kid text not null,
      iv bytea not null check (length(iv) = 12),
      tag bytea not null check (length(tag) = 16),
      ciphertext bytea not null check (length(ciphertext) > 0),
      created_at timestamptz not null,
      ends_at timestamptz
    );
    create unique index webhook_secrets_present on webhook_secrets (endpoint_id) where ends_at is null;
    create index webhook_secrets_endpoint on webhook_secrets (endpoint_id);
    create index webhook_secrets_kid on webhook_secrets (kid)`.execute(db);
}

/**
 * A delivery is inserted in the transaction of what it tells of, and waits in this table, its own outbox, until it is
 * handed to Temporal (`handed_over_at`). The first try fixes the body, which all later ones repeat. Ids are of the database,
 * because one statement inserts the deliveries of all endpoints.
 */
async function deliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_deliveries (
      id uuid primary key default gen_random_uuid(),
      endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
      type text not null,
      data json not null,
      body text,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      created_at timestamptz not null,
      handed_over_at timestamptz,
      next_attempt_at timestamptz,
      ended_at timestamptz,
      constraint webhook_deliveries_end check ((status = 'pending') = (ended_at is null)),
      constraint webhook_deliveries_next check (status = 'pending' or next_attempt_at is null)
    );
    create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc);
    create index webhook_deliveries_outbox on webhook_deliveries (created_at)
      where handed_over_at is null and status = 'pending';
    create index webhook_deliveries_pending on webhook_deliveries (next_attempt_at) where status = 'pending';
    create index webhook_deliveries_created on webhook_deliveries (created_at);
    create table webhook_attempts (
      delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
      number integer not null check (number > 0),
      at timestamptz not null,
      status_code integer,
      error text check (length(error) <= 200),
      excerpt text check (length(excerpt) <= 200),
      primary key (delivery_id, number)
    )`.execute(db);
}
