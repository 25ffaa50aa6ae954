import { type RawBuilder, sql } from 'kysely';
import type { Venue } from '../../council/event.js';
import type { Db } from '../database.js';

/**
 * Whose turn it is to send a request to a venue that allows one at a time, over all processes. Invariants:
 * - at most one holder has the turn of a venue, until it ends the turn or its lease is over;
 * - a turn begins no earlier than the spacing after the end of the one before, and in no pause;
 * - a process that dies blocks the others until the end of its lease, and no longer.
 */
export interface TurnRequest {
  readonly venue: Venue;
  /** Another for each turn, so that a turn that ends late ends no other. */
  readonly holder: string;
  /** When the turn ends by itself: later than its request can take. */
  readonly leaseMs: number;
  /** The time between two turns. It also follows a turn whose lease ran out. */
  readonly spacingMs: number;
  /** Unset, the clock of the database, which all processes share. */
  readonly now?: Date;
}

/** `paused`: the venue asked for no requests. `waitMs`: the turn is not free any earlier. */
export type TurnTaken =
  | { readonly state: 'taken' }
  | { readonly state: 'busy' | 'paused'; readonly waitMs: number };

/** The turns of all venues, in the form that `markets/turn-gate.ts` asks for. */
export function venueTurnsIn(db: Db) {
  return {
    take: takeTurn.bind(null, db),
    end: endTurn.bind(null, db),
    pause: pauseVenue.bind(null, db),
  };
}

/** Takes the turn if it is free. */
export async function takeTurn(db: Db, request: TurnRequest): Promise<TurnTaken> {
  const { venue, holder, leaseMs, spacingMs } = request;
  const now = timeOf(request.now);
  const heldUntil = sql`${now} + ${interval(leaseMs)}`;
  const freeFrom = sql`${heldUntil} + ${interval(spacingMs)}`;
  const { rows } = await sql`
    insert into venue_turns (venue, free_from, holder, held_until)
    values (${venue}, ${freeFrom}, ${holder}, ${heldUntil})
    on conflict (venue) do update
      set free_from = excluded.free_from, holder = excluded.holder, held_until = excluded.held_until
      where venue_turns.free_from <= ${now}
        and (venue_turns.paused_until is null or venue_turns.paused_until <= ${now})
    returning venue`.execute(db);
  return rows.length > 0 ? { state: 'taken' } : readWait(db, venue, now);
}

/** A held turn may end at any time before its lease, so it is no reason to wait for all of it. */
async function readWait(db: Db, venue: Venue, now: RawBuilder<Date>): Promise<TurnTaken> {
  const { rows } = await sql<{ pausedMs: number | null; spacedMs: number }>`
    select ${msUntil(sql`paused_until`, now)} as "pausedMs",
      case when holder is null then ${msUntil(sql`free_from`, now)} else 0 end as "spacedMs"
    from venue_turns where venue = ${venue}`.execute(db);
  const { pausedMs, spacedMs } = rows[0] ?? { pausedMs: null, spacedMs: 0 };
  if (pausedMs !== null && pausedMs > 0) return { state: 'paused', waitMs: pausedMs };
  return { state: 'busy', waitMs: Math.max(0, spacedMs) };
}

/** Ends a turn, unless it is over. The next begins after the spacing. */
export async function endTurn(
  db: Db,
  { venue, holder, spacingMs, ...times }: Omit<TurnRequest, 'leaseMs'>,
): Promise<void> {
  await sql`
    update venue_turns
    set holder = null, held_until = null, free_from = ${timeOf(times.now)} + ${interval(spacingMs)}
    where venue = ${venue} and holder = ${holder}`.execute(db);
}

/** Has nobody send anything to a venue for this time. A longer pause is not shortened. */
export async function pauseVenue(
  db: Db,
  { venue, pauseMs, ...times }: { venue: Venue; pauseMs: number; now?: Date },
): Promise<void> {
  const now = timeOf(times.now);
  await sql`
    insert into venue_turns (venue, free_from, paused_until)
    values (${venue}, ${now}, ${now} + ${interval(pauseMs)})
    on conflict (venue) do update
      set paused_until = greatest(venue_turns.paused_until, excluded.paused_until)`.execute(db);
}

function timeOf(now: Date | undefined): RawBuilder<Date> {
  return now === undefined ? sql`clock_timestamp()` : sql`${now}::timestamptz`;
}

function interval(ms: number): RawBuilder<unknown> {
  return sql`${ms}::double precision * interval '1 millisecond'`;
}

function msUntil(time: RawBuilder<unknown>, now: RawBuilder<Date>): RawBuilder<number | null> {
  return sql`ceil(extract(epoch from (${time} - ${now})) * 1000)::integer`;
}
