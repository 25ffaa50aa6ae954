import { type NotNull, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  eventRestSeconds,
  failuresBeforeRest,
  runsPerHour,
  runWindowSeconds,
  uncountedRefundsPerHour,
} from '../../purchase/limits.js';
import { failuresThatRest, type RunsLeft, runsLeft } from '../../purchase/run-limits.js';
import type { Db, Tx } from '../database.js';

/**
 * The runs that an account has started and those of an event that failed, as far back as they can keep a purchase from
 * starting another one. Status and state are named with `sql.lit`, because the partial indexes are declared on those
 * literals.
 */

/** How many fresh runs the account may still start in the sliding hour. */
export async function countRunsLeft(db: Db, accountId: string, now: Date): Promise<RunsLeft> {
  const { charged, refunded } = await db
    .selectNoFrom([
      jsonArrayFrom(chargedRunsQuery(db, accountId, now)).as('charged'),
      jsonArrayFrom(refundedRunsQuery(db, accountId, now)).as('refunded'),
    ])
    .executeTakeFirstOrThrow();
  return runsLeft({ charged: startsOf(charged), refunded: startsOf(refunded) }, now);
}

/** JSON has no dates. */
export function startsOf(runs: readonly { readonly startedAt: Date | string }[]): readonly Date[] {
  return runs.map(({ startedAt }) => new Date(startedAt));
}

/** The account's fresh runs in the sliding hour that are in progress or completed: as many as can count. Rows of batches do not. */
export function chargedRunsQuery(db: Db | Tx, accountId: string, now: Date) {
  return freshRunsQuery(db, accountId, now).where('state', '=', sql.lit('charged')).limit(runsPerHour);
}

/** The account's refunded runs in the sliding hour: those that do not count, and as many as can count. */
export function refundedRunsQuery(db: Db | Tx, accountId: string, now: Date) {
  return freshRunsQuery(db, accountId, now)
    .where('state', '=', sql.lit('refunded'))
    .limit(uncountedRefundsPerHour + runsPerHour);
}

function freshRunsQuery(db: Db | Tx, accountId: string, now: Date) {
  return db
    .selectFrom('report_purchases')
    .select('created_at as startedAt')
    .where('account_id', '=', accountId)
    .where('kind', '=', sql.lit('fresh'))
    .where('batch_id', 'is', null)
    .where('created_at', '>', secondsBefore(now, runWindowSeconds))
    .orderBy('created_at', 'desc');
}

/**
 * The event's latest failed runs, of any account, as far back as they can let it rest now. Runs with a caller's own
 * provider keys are left out: such keys can fail on purpose, and would keep everybody from the event.
 */
export function failedRunsQuery(
  db: Db | Tx,
  { eventId, simulated, now }: { eventId: string; simulated: boolean; now: Date },
) {
  return db
    .selectFrom('reports')
    .select('ended_at as failedAt')
    .where('event_id', '=', eventId)
    .where('simulated', '=', simulated)
    .where('status', '=', sql.lit('failed'))
    .where('ended_at', '>', secondsBefore(now, failuresBeforeRest * eventRestSeconds))
    .where('failure_code', 'in', failuresThatRest)
    .where('lane', '<>', 'byok')
    .orderBy('ended_at', 'desc')
    .limit(failuresBeforeRest)
    .$narrowType<{ failedAt: NotNull }>();
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}
