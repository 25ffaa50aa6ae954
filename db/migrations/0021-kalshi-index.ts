import { type Kysely, sql } from 'kysely';

/** Whose turn it is at a venue that allows one request at a time, and the search index of Kalshi's events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await turns(db);
  await events(db);
  await fill(db);
}

/** One row a venue. Unlogged: after a crash nobody holds a turn, which the venue's own limit survives. */
async function turns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table venue_turns (
      venue text primary key,
      free_from timestamptz not null,
      holder text,
      held_until timestamptz,
      paused_until timestamptz,
      constraint venue_turns_holder check ((holder is null) = (held_until is null))
    ) with (fillfactor = 70)`.execute(db);
}

/** `updated_at` is when the venue last listed the event: what a whole pass does not list any more is closed. */
async function events(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kalshi_events (
      ticker text primary key,
      title text not null,
      sub_title text not null,
      series_ticker text not null,
      category text not null,
      volume_contracts numeric(18, 2) not null,
      closes_at timestamptz,
      status text not null check (status in ('open', 'closed')),
      updated_at timestamptz not null,
      search tsvector not null generated always as (
        setweight(to_tsvector('english', title), 'A')
        || setweight(to_tsvector('english', sub_title), 'B')
        || setweight(to_tsvector('english', ticker || ' ' || series_ticker), 'C')
        || setweight(to_tsvector('english', category), 'D')
      ) stored
    );
    create index kalshi_events_search on kalshi_events using gin (search);
    create index kalshi_events_volume on kalshi_events (status, volume_contracts desc, ticker);
    create index kalshi_events_closing on kalshi_events (status, closes_at, ticker)`.execute(db);
}

/** One row: which page of which pass is read next. `changed_since` is null until a whole pass has ended. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kalshi_fill (
      one boolean primary key default true check (one),
      pass text not null check (pass in ('whole', 'changes')),
      pass_started_at timestamptz not null,
      cursor text,
      changed_since timestamptz,
      whole_pass_at timestamptz
    )`.execute(db);
}
