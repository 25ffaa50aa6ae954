import type { Access, Operation } from '../../contract/operation.js';
import { type ProblemCode, problems } from '../../contract/problems.js';
import { bodyMaxBytes, liveKeysPerAccount, requestsPerMinutePerCredential } from '../../purchase/limits.js';
import {
  accountSuspended,
  houseLimitReached,
  idempotencyKeyReused,
  insufficientCredits,
  keyLimitReachedToday,
  laneUnavailable,
  quoteExpired,
  runLimitExceeded,
} from '../../purchase/purchase.js';
import { Problem, problemOf } from '../http/problem.js';

/**
 * The problems that an operation can return: its own and those that follow from its kind, in order of status.
 */
export function problemCodesOf(operation: Operation): readonly ProblemCode[] {
  const { access, scope, body, parameters, query, throttled = true, problems: own = [] } = operation;
  const codes = new Set<ProblemCode>([
    ...own,
    ...problemsOfAccess[access],
    ...(scope === 'spend' ? (['scope_insufficient'] as const) : []),
    ...(body === undefined ? [] : problemsOfBodies),
    ...(query === undefined ? [] : (['invalid_request'] as const)),
    ...(parameters === undefined ? [] : (['not_found'] as const)),
    ...(throttled ? (['rate_limited'] as const) : []),
    'internal',
  ]);
  return allCodes.filter(code => codes.has(code));
}

const allCodes = Object.keys(problems)
  .filter((code): code is ProblemCode => code in problems)
  .sort((a, b) => problems[a].status - problems[b].status);

/** A credential needs the database or the keys of an identity provider, and both can be unavailable. */
const problemsOfAccess: Readonly<Record<Access, readonly ProblemCode[]>> = {
  public: [],
  anyone: ['unauthenticated', 'unavailable'],
  session: ['unauthenticated', 'session_required', 'unavailable'],
  cookie: ['unauthenticated', 'unavailable'],
  cookie_if_any: ['unavailable'],
};

const problemsOfBodies = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;

/** One example of each, built like the service builds them. */
export const problemExamples: Readonly<Record<ProblemCode, Problem>> = {
  invalid_request: new Problem(
    'invalid_request',
    '#/quoted_credits: Invalid input: expected number, received string',
    {
      errors: [{ pointer: '#/quoted_credits', detail: 'Invalid input: expected number, received string' }],
    },
  ),
  unauthenticated: new Problem('unauthenticated', 'The API key is invalid or has been revoked.'),
  insufficient_credits: Problem.of(insufficientCredits(120, 35, 0)),
  key_limit_reached_today: Problem.of(keyLimitReachedToday(500, 480, '2031-03-05T00:00:00.000Z')),
  scope_insufficient: new Problem('scope_insufficient', 'This API key may only read.'),
  session_required: new Problem(
    'session_required',
    'This route needs a session token; an API key is not accepted.',
  ),
  account_suspended: Problem.of(accountSuspended),
  not_found: new Problem('not_found', 'There is no report with this id.'),
  event_not_found: new Problem('event_not_found', 'There is no event with this id.'),
  method_not_allowed: new Problem('method_not_allowed', 'This path allows GET, HEAD.'),
  quote_expired: Problem.of(quoteExpired(150)),
  key_limit_reached: new Problem(
    'key_limit_reached',
    `An account can have at most ${liveKeysPerAccount} live keys.`,
  ),
  event_closed: new Problem('event_closed', 'The event no longer trades.'),
  lane_unavailable: Problem.of(laneUnavailable('byok', ['anthropic', 'xai'])),
  payload_too_large: new Problem('payload_too_large', `A body can have at most ${bodyMaxBytes} bytes.`),
  unsupported_media_type: new Problem('unsupported_media_type', 'Send the body as application/json.'),
  idempotency_mismatch: Problem.of(idempotencyKeyReused),
  run_limit_exceeded: Problem.of(runLimitExceeded(1_260)),
  rate_limited: new Problem(
    'rate_limited',
    `At most ${requestsPerMinutePerCredential} requests a minute are allowed per credential.`,
    { retryAfterSeconds: 21 },
  ),
  internal: problemOf(new Error('unexpected')),
  unavailable: new Problem('unavailable', 'The database is unavailable at the moment.', {
    retryAfterSeconds: 5,
  }),
  house_limit_reached: Problem.of(houseLimitReached(14_400)),
  payments_not_configured: new Problem(
    'payments_not_configured',
    'Payments are not configured on this service.',
    { retryAfterSeconds: 3_600 },
  ),
};
