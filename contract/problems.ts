/** Every error of the public API, by its `code`. A closed list: each response outside 2xx is one of these. */
export const problems = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'A valid credential is required' },
  insufficient_credits: { status: 402, title: 'Not enough credits' },
  key_limit_reached_today: { status: 402, title: 'The API key has spent its credits of today' },
  scope_insufficient: { status: 403, title: 'The API key may only read' },
  session_required: { status: 403, title: 'A session is required, not an API key' },
  account_suspended: { status: 403, title: 'The account is suspended' },
  not_found: { status: 404, title: 'Not found' },
  event_not_found: { status: 404, title: 'Event not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  quote_expired: { status: 409, title: 'The quote has expired' },
  key_limit_reached: { status: 409, title: 'Too many live API keys' },
  event_closed: { status: 409, title: 'The event is closed for trading' },
  lane_unavailable: { status: 409, title: 'This lane is not set up' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON' },
  idempotency_mismatch: { status: 422, title: 'This Idempotency-Key was used for a different request' },
  run_limit_exceeded: { status: 429, title: 'Too many runs this hour' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
  house_limit_reached: { status: 503, title: 'No more fresh reports today' },
  payments_not_configured: { status: 503, title: 'Payments are not configured' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;
