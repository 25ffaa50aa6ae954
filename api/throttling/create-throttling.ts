import type pg from 'pg';
import { createSharedCounts } from '../../db/throttling/shared-counts.js';
import {
  requestsPerMinuteAnonymous,
  requestsPerMinutePerAddress,
  requestsPerMinutePerCredential,
} from '../../purchase/limits.js';
import { attemptPolicies } from '../../purchase/pauses.js';
import type { ApiContext } from '../context.js';
import { createKnownCallers } from './known-callers.js';

/** The limits on what callers may do, and what they are counted with. */
export function createThrottling(
  pool: pg.Pool,
  onError: (err: unknown, what: string) => void,
): Pick<ApiContext, 'limits' | 'counts' | 'knownCallers'> {
  const requestsPerMinute = {
    address: requestsPerMinutePerAddress,
    anonymous: requestsPerMinuteAnonymous,
    credential: requestsPerMinutePerCredential,
  };
  return {
    limits: { requestsPerMinute, attempts: attemptPolicies },
    counts: createSharedCounts(pool, err =>
      onError(err, 'the shared limits cannot be reached: this process counts for itself'),
    ),
    knownCallers: createKnownCallers(),
  };
}
