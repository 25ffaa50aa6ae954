import { type Kysely, sql } from 'kysely';

/** Many questions, bought one after the other within a budget. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await batches(db);
  await rows(db);
}

async function batches(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table batches (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      api_key_id uuid references api_keys (id),
      name text check (length(name) between 1 and 200),
      lane text not null check (lane in ('credits', 'byok')),
      status text not null default 'running' check (status in ('running', 'paused', 'completed', 'cancelled')),
      paused_reason text check (paused_reason in ('budget', 'balance', 'house_limit', 'member', 'asked')),
      paused_member text,
      resumes_at timestamptz,
      budget_credits integer not null check (budget_credits >= 1),
      max_credits_each integer check (max_credits_each >= 1),
      min_members smallint not null check (min_members between 2 and 4),
      max_in_flight smallint not null check (max_in_flight between 1 and 20),
      idempotency_key text not null check (length(idempotency_key) between 1 and 255),
      fingerprint text not null,
      created_at timestamptz not null,
      running_since timestamptz not null,
      ended_at timestamptz,
      constraint batches_paused check ((status = 'paused') = (paused_reason is not null)),
      constraint batches_paused_member check (coalesce(paused_reason = 'member', false) = (paused_member is not null)),
      constraint batches_resume check (resumes_at is null or status = 'paused'),
      constraint batches_end check ((status in ('completed', 'cancelled')) = (ended_at is not null))
    )`.execute(db);
  await sql`create index batches_account on batches (account_id, created_at desc)`.execute(db);
  await sql`create index batches_running on batches (created_at) where status = 'running'`.execute(db);
}

/** A row that is bought is as far as its report: it stores no state of its own that could differ. */
async function rows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table batch_rows (
      batch_id uuid not null references batches (id),
      position smallint not null check (position between 1 and 500),
      event_id text not null,
      state text not null default 'waiting' check (state in ('waiting', 'bought', 'refused')),
      kind text check (kind in ('fresh', 'cached', 'owned')),
      report_id bigint references reports (id),
      code text,
      decided_at timestamptz,
      primary key (batch_id, position),
      unique (batch_id, event_id),
      constraint batch_rows_bought
        check ((state = 'bought') = (report_id is not null) and (report_id is null) = (kind is null)),
      constraint batch_rows_refused check ((state = 'refused') = (code is not null)),
      constraint batch_rows_decided check ((state = 'waiting') = (decided_at is null))
    )`.execute(db);
  await sql`
    create index batch_rows_waiting on batch_rows (batch_id, position) where state = 'waiting'`.execute(db);
  await sql`create index batch_rows_report on batch_rows (report_id)`.execute(db);
}
