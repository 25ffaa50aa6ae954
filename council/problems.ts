/**
 * Every error a caller can meet, by the code to branch on (`contract` §3). A closed list: an answer outside
 * 2xx is made from one of these and from nothing else.
 */
export const problems = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'A valid credential is needed' },
  insufficient_credits: { status: 402, title: 'Not enough credits' },
  session_required: { status: 403, title: 'This needs a session, not an API key' },
  not_found: { status: 404, title: 'Not found' },
  event_not_found: { status: 404, title: 'No such event' },
  method_not_allowed: { status: 405, title: 'This path has no such method' },
  quote_expired: { status: 409, title: 'The quote has changed' },
  key_limit_reached: { status: 409, title: 'Too many live API keys' },
  event_closed: { status: 409, title: 'The event no longer trades' },
  lane_unavailable: { status: 409, title: 'This way of paying is not set up' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON' },
  idempotency_mismatch: { status: 422, title: 'This Idempotency-Key was used for another request' },
  run_limit_exceeded: { status: 429, title: 'Too many runs this hour' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something failed on our side' },
  unavailable: { status: 503, title: 'A part of the service is down' },
  payments_not_configured: { status: 503, title: 'Payments are not set up here' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/**
 * A "no" as a value: it travels through workflow histories and across processes, so it is plain data. What
 * was refused has recorded nothing and charged nothing.
 */
export interface Refusal {
  readonly refused: RefusalCode;
  /** For a person. Never holds a secret. */
  readonly detail: string;
  /** What the caller can act on, named as `contract` §3 names it. */
  readonly data?: Readonly<Record<string, number | string | readonly string[]>>;
  readonly retryAfterSeconds?: number;
}

/** The problems a purchase can be refused with. */
export type RefusalCode = Extract<
  ProblemCode,
  | 'insufficient_credits'
  | 'quote_expired'
  | 'event_closed'
  | 'event_not_found'
  | 'lane_unavailable'
  | 'idempotency_mismatch'
  | 'run_limit_exceeded'
  | 'unavailable'
>;
