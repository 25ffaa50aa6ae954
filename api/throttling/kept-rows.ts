import type { RequestHandler } from 'express';
import {
  batchDryRunsPerMinute,
  keptRowsPerDayPerAccount,
  webhookSendsPerMinute,
} from '../../purchase/limits.js';
import { principalOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import type { CountKey } from './count-key.js';

/**
 * Limits what an account adds for free and what is kept for good: without it, one account could fill the disk within the
 * limit of requests. Stands behind the authentication.
 */
export function limitKeptRows(
  context: Counting,
  countKey: CountKey,
  what: 'keys' | 'checkouts' | 'webhooks' | 'webhook_tests',
): RequestHandler {
  return limitPerAccount(context, countKey, {
    counted: `created-${what}`,
    limit: what,
    most: keptRowsPerDayPerAccount,
    withinSeconds: daySeconds,
    detail: `An account can create ${keptRowsPerDayPerAccount} ${what.replace('_', ' ')} a day.`,
  });
}

/**
 * Limits the deliveries that an account asks for itself: otherwise it could have requests sent to an address as fast as
 * it can ask. Stands behind the authentication.
 */
export function limitSends(context: Counting, countKey: CountKey): RequestHandler {
  return limitPerAccount(context, countKey, {
    counted: 'webhook-sends',
    limit: 'webhook_sends',
    most: webhookSendsPerMinute,
    withinSeconds: minuteSeconds,
    detail: `An account can ask for ${webhookSendsPerMinute} tests and repeated deliveries a minute.`,
  });
}

/** @returns counts a dry run of a batch of an account. @throws Problem `rate_limited` */
export function limitDryRuns(context: Counting, countKey: CountKey): (accountId: string) => Promise<void> {
  return countPerAccount(context, countKey, {
    counted: 'batch-dry-runs',
    limit: 'batch_dry_runs',
    most: batchDryRunsPerMinute,
    withinSeconds: minuteSeconds,
    detail: `An account can ask for ${batchDryRunsPerMinute} dry runs of batches a minute.`,
  });
}

const daySeconds = 86_400;
const minuteSeconds = 60;

type Counting = Pick<ApiContext, 'counts' | 'metrics'>;

interface AccountLimit {
  /** What is counted, and the name of the limit in the metrics. */
  readonly counted: string;
  readonly limit: string;
  readonly most: number;
  readonly withinSeconds: number;
  readonly detail: string;
}

function limitPerAccount(context: Counting, countKey: CountKey, limit: AccountLimit): RequestHandler {
  const count = countPerAccount(context, countKey, limit);
  return async (_request, response, next) => {
    await count(principalOf(response).accountId);
    next();
  };
}

function countPerAccount(
  { counts, metrics }: Counting,
  countKey: CountKey,
  { counted, limit, most, withinSeconds, detail }: AccountLimit,
): (accountId: string) => Promise<void> {
  return async accountId => {
    const { points, msLeft } = await counts.add(countKey(counted, accountId), 1, withinSeconds);
    if (points <= most) return;
    metrics.throttled.inc({ limit });
    throw new Problem('rate_limited', detail, {
      retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1_000)),
    });
  };
}
