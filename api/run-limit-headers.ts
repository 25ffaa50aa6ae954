import type { Response } from 'express';
import { runsPerHour, runWindowSeconds } from '../council/limits.js';
import { runsLeft } from '../db/run-limit.js';
import type { ApiContext } from './context.js';

/** Says how many runs the account has left this hour (draft-ietf-httpapi-ratelimit-headers). */
export async function setRunLimitHeaders(
  context: ApiContext,
  response: Response,
  accountId: string,
): Promise<void> {
  const { left, secondsToNext } = await runsLeft(context.db, accountId, context.now());
  response.set('RateLimit-Policy', `"runs";q=${runsPerHour};w=${runWindowSeconds}`);
  response.set('RateLimit', `"runs";r=${left};t=${secondsToNext}`);
}
