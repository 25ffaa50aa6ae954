import { bodyMaxBytes, liveKeysPerAccount, requestsPerMinutePerCredential } from '../../council/limits.js';
import { type ProblemCode, problems } from '../../council/problems.js';
import {
  insufficientCredits,
  keyReused,
  laneUnavailable,
  quoteExpired,
  runLimitExceeded,
} from '../../council/purchase/purchase.js';
import { Problem, problemOf } from '../http/problem.js';
import type { Access, Operation } from './operation.js';

/** Every problem that an operation can answer with: its own, and those that follow from what it is. In order of status. */
export function problemCodesOf(operation: Operation): readonly ProblemCode[] {
  const { access, body, parameters = [], throttled = true, problems: own = [] } = operation;
  const codes = new Set<ProblemCode>([
    ...own,
    ...ofAccess[access],
    ...(body === undefined ? [] : ofBodies),
    ...(parameters.some(group => group.in === 'query') ? (['invalid_request'] as const) : []),
    ...(parameters.some(group => group.in === 'path') ? (['not_found'] as const) : []),
    ...(throttled ? (['rate_limited'] as const) : []),
    'internal',
  ]);
  return allCodes.filter(code => codes.has(code));
}

const allCodes = Object.keys(problems)
  .filter((code): code is ProblemCode => code in problems)
  .sort((a, b) => problems[a].status - problems[b].status);

/** A credential is looked up in the database, or held against keys of an identity provider: both may be away. */
const ofAccess: Readonly<Record<Access, readonly ProblemCode[]>> = {
  public: [],
  anyone: ['unauthenticated', 'unavailable'],
  session: ['unauthenticated', 'session_required', 'unavailable'],
  cookie: ['unauthenticated', 'unavailable'],
  cookie_if_any: ['unavailable'],
};

const ofBodies = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;

/** One of each, made as the service makes them. */
export const problemExamples: Readonly<Record<ProblemCode, Problem>> = {
  invalid_request: new Problem(
    'invalid_request',
    '#/quoted_credits: Invalid input: expected number, received string',
    {
      errors: [{ pointer: '#/quoted_credits', detail: 'Invalid input: expected number, received string' }],
    },
  ),
  unauthenticated: new Problem('unauthenticated', 'The API key is not valid, or it was revoked.'),
  insufficient_credits: Problem.of(insufficientCredits(120, 35)),
  session_required: new Problem(
    'session_required',
    'Sign in and use the session token here; an API key is not enough.',
  ),
  not_found: new Problem('not_found', 'There is no report with this id.'),
  event_not_found: new Problem('event_not_found', 'There is no event with this id.'),
  method_not_allowed: new Problem('method_not_allowed', 'This path takes GET, HEAD.'),
  quote_expired: Problem.of(quoteExpired(150)),
  key_limit_reached: new Problem(
    'key_limit_reached',
    `An account holds at most ${liveKeysPerAccount} live keys.`,
  ),
  event_closed: new Problem('event_closed', 'The event no longer trades.'),
  lane_unavailable: Problem.of(laneUnavailable('byok', ['anthropic', 'xai'])),
  payload_too_large: new Problem('payload_too_large', `A body may have at most ${bodyMaxBytes} bytes.`),
  unsupported_media_type: new Problem('unsupported_media_type', 'Send the body as application/json.'),
  idempotency_mismatch: Problem.of(keyReused),
  run_limit_exceeded: Problem.of(runLimitExceeded(1_260)),
  rate_limited: new Problem(
    'rate_limited',
    `At most ${requestsPerMinutePerCredential} requests a minute are answered by credential.`,
    { retryAfterSeconds: 21 },
  ),
  internal: problemOf(new Error('unforeseen')),
  unavailable: new Problem('unavailable', 'The database cannot be reached at the moment.', {
    retryAfterSeconds: 5,
  }),
  payments_not_configured: new Problem(
    'payments_not_configured',
    'Nothing can be bought here: payments are not set up.',
    { retryAfterSeconds: 3_600 },
  ),
};
