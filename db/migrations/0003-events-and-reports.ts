import { type Kysely, sql } from 'kysely';

/**
 * Documents are `json`, not `jsonb`, so they are read back exactly as written, including the order of keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      event_id text primary key,
      source text not null,
      title text not null,
      event json not null,
      read_at timestamptz not null
    )`.execute(db);
  await reports(db);
  await reportGuards(db);
  await sql`
    create table stage_results (
      report_id bigint not null references reports (id),
      stage text not null check (stage in ('opinions', 'cross_review', 'synthesis')),
      model text not null,
      model_id text not null,
      answer json not null,
      attempts integer not null check (attempts >= 1),
      latency_ms integer not null check (latency_ms >= 0),
      created_at timestamptz not null,
      primary key (report_id, stage, model)
    )`.execute(db);
  await sql`
    create table provider_calls (
      id bigint generated always as identity primary key,
      report_id bigint not null references reports (id),
      stage text not null,
      model text not null,
      model_id text not null,
      outcome text not null,
      input_tokens integer not null default 0 check (input_tokens >= 0),
      output_tokens integer not null default 0 check (output_tokens >= 0),
      cost_usd_micros bigint not null default 0 check (cost_usd_micros >= 0),
      latency_ms integer not null check (latency_ms >= 0),
      simulated boolean not null,
      called_at timestamptz not null
    )`.execute(db);
  await sql`create index provider_calls_report on provider_calls (report_id)`.execute(db);
  await stageResultGuards(db);
}

async function reports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reports (
      id bigint generated always as identity primary key,
      account_id uuid not null references accounts (id),
      event_id text not null references events (event_id),
      event_title text not null,
      utc_day date not null,
      workflow_id text not null,
      lane text not null check (lane in ('credits', 'subscription', 'byok')),
      simulated boolean not null,
      status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
      seed text not null,
      stage text,
      stage_of integer,
      event json,
      queried_market text,
      prices_at timestamptz,
      conclusion json,
      dropouts json,
      failure_code text,
      created_at timestamptz not null,
      ended_at timestamptz,
      check ((status = 'completed') = (conclusion is not null)),
      check ((status = 'failed') = (failure_code is not null)),
      check ((status in ('completed', 'failed')) = (ended_at is not null)),
      check (status in ('pending', 'failed') or (event is not null and queried_market is not null))
    )`.execute(db);
  await sql`
    create unique index reports_one_live_a_day on reports (account_id, event_id, utc_day, simulated)
    where status <> 'failed'`.execute(db);
  await sql`
    create index reports_shared_today on reports (event_id, utc_day, simulated)
    where status = 'completed'`.execute(db);
}

/** A report only moves forward, and a terminal report never changes, so a customer keeps what was sold. */
async function reportGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function reports_move_forward() returns trigger language plpgsql as $$
    begin
      if old.status in ('completed', 'failed') then
        raise exception 'report % is terminal', old.id using errcode = 'restrict_violation';
      end if;
      if old.status = 'processing' and new.status = 'pending' then
        raise exception 'report % cannot go back to pending', old.id using errcode = 'restrict_violation';
      end if;
      if old.event is not null and (new.event::text, new.queried_market, new.prices_at)
         is distinct from (old.event::text, old.queried_market, old.prices_at) then
        raise exception 'the market snapshot of report % is frozen', old.id using errcode = 'restrict_violation';
      end if;
      if new.seed <> old.seed then
        raise exception 'the seed of report % is frozen', old.id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger reports_move_forward before update on reports
    for each row execute function reports_move_forward()`.execute(db);
  await sql`
    create function reports_are_kept() returns trigger language plpgsql as $$
    begin
      raise exception '% keeps its rows', tg_table_name using errcode = 'restrict_violation';
    end $$`.execute(db);
  await sql`
    create trigger reports_are_kept before delete on reports
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on reports
    for each statement execute function reports_are_kept()`.execute(db);
}

/**
 * An answer is written once, and only while the report is processing. Otherwise a call that returns after its
 * stage timed out could add an answer to a report that was already delivered.
 */
async function stageResultGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function stage_results_while_processing() returns trigger language plpgsql as $$
    begin
      perform from reports where id = new.report_id and status = 'processing' for share;
      if not found then
        raise exception 'report % is not being processed', new.report_id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger stage_results_while_processing before insert on stage_results
    for each row execute function stage_results_while_processing()`.execute(db);
  await sql`
    create trigger written_once before update or delete on stage_results
    for each row execute function reports_are_kept()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on stage_results
    for each statement execute function reports_are_kept()`.execute(db);
}
