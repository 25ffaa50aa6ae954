import { sql } from 'kysely';
import { runsPerHour, runWindowSeconds } from '../council/limits.js';
import { type RunsLeft, runsLeft } from '../council/runs-left.js';
import type { Db, Tx } from './database.js';

/** What is left of the account's fresh runs in the sliding hour. */
export async function countRunsLeft(db: Db, accountId: string, now: Date): Promise<RunsLeft> {
  const runs = await countedRuns(db, accountId, now).execute();
  return runsLeft(
    runs.map(run => run.begunAt),
    now,
  );
}

/** Fresh runs of an account in the sliding hour, newest first; refunded ones have given their place back. */
export function countedRuns(db: Db | Tx, accountId: string, now: Date) {
  return db
    .selectFrom('report_purchases')
    .select('created_at as begunAt')
    .where('account_id', '=', accountId)
    .where('kind', '=', sql.lit('fresh'))
    .where('state', '=', sql.lit('charged'))
    .where('created_at', '>', new Date(now.getTime() - runWindowSeconds * 1_000))
    .orderBy('created_at', 'desc')
    .limit(runsPerHour);
}
