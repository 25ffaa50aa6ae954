import type { RequestHandler } from 'express';
import { keptRowsPerDayPerAccount } from '../../purchase/limits.js';
import { principalOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import type { CountKey } from './count-key.js';

/**
 * Limits what an account adds for free and what is kept for good: without it, one account could fill the disk within the
 * limit of requests. Stands behind the authentication.
 */
export function limitKeptRows(
  { counts, metrics }: Pick<ApiContext, 'counts' | 'metrics'>,
  countKey: CountKey,
  what: 'keys' | 'checkouts',
): RequestHandler {
  return async (_request, response, next) => {
    const key = countKey(`created-${what}`, principalOf(response).accountId);
    const { points, msLeft } = await counts.add(key, 1, daySeconds);
    if (points > keptRowsPerDayPerAccount) {
      metrics.throttled.inc({ limit: what });
      throw new Problem('rate_limited', `An account can create ${keptRowsPerDayPerAccount} ${what} a day.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1_000)),
      });
    }
    next();
  };
}

const daySeconds = 86_400;
