import { runsPerHour, runWindowSeconds } from '../council/limits.js';
import type { Db, Tx } from './database.js';

export interface RunsLeft {
  readonly left: number;
  /** Seconds until one more run may begin; 0 while there is one left. */
  readonly secondsToNext: number;
}

/** Fresh runs of an account in the sliding hour; refunded ones have given their place back. */
export async function runsLeft(db: Db | Tx, accountId: string, now: Date): Promise<RunsLeft> {
  const windowMs = runWindowSeconds * 1_000;
  const runs = await db
    .selectFrom('report_purchases')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'fresh')
    .where('state', '=', 'charged')
    .where('created_at', '>', new Date(now.getTime() - windowMs))
    .orderBy('created_at', 'desc')
    .limit(runsPerHour)
    .execute();
  const blocking = runs[runsPerHour - 1];
  if (blocking === undefined) return { left: runsPerHour - runs.length, secondsToNext: 0 };
  const freeAt = blocking.created_at.getTime() + windowMs;
  return { left: 0, secondsToNext: Math.max(1, Math.ceil((freeAt - now.getTime()) / 1_000)) };
}
