import type { Response } from 'express';
import { runsPerHour, runWindowSeconds } from '../../council/limits.js';
import { countRunsLeft } from '../../db/purchases/purchase-situation.js';
import type { ApiContext } from '../context.js';

/**
 * Says how many runs the account has left this hour (draft-ietf-httpapi-ratelimit-headers). Left out when that cannot
 * be counted: it comes after the purchase, and must not turn a charge that was made into an error.
 */
export async function setRunLimitHeaders(
  context: ApiContext,
  response: Response,
  accountId: string,
): Promise<void> {
  try {
    const { left, secondsToNext } = await countRunsLeft(context.db, accountId, context.now());
    response.set('RateLimit-Policy', `"runs";q=${runsPerHour};w=${runWindowSeconds}`);
    response.set('RateLimit', `"runs";r=${left};t=${secondsToNext}`);
  } catch (err) {
    context.log.warn({ err }, 'the runs left could not be counted');
  }
}
