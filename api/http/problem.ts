import { type ProblemCode, problems } from '../../contract/problems.js';
import { isDatabaseUnavailable } from '../../db/database.js';
import { AccountBudgetSpent, MarketUnavailable } from '../../markets/event-source.js';
import { PaymentsUnavailable } from '../../payments/payment-gateway.js';
import { bodyMaxBytes, passwordsBusyRetrySeconds } from '../../purchase/limits.js';
import type { Refusal } from '../../purchase/refusal.js';
import { BatchUnreachable } from '../../sales/batch-runs.js';
import { OutcomeUnknown } from '../../sales/purchase-existing.js';
import { PasswordsBusy } from '../auth/password-hashing.js';
import { SessionKeysUnavailable } from '../auth/sessions.js';

/** One invalid field or parameter of a request. */
export interface FieldError {
  /** JSON pointer into the body, as a URI fragment. */
  readonly pointer?: string;
  /** Name of a path, query or header parameter. */
  readonly parameter?: string;
  readonly detail: string;
}

interface ProblemExtras {
  /** Fields of the problem document that the caller can act on. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Where HTTP has a status of its own for what is wrong. Default: the status of the code. */
  readonly status?: 408 | 412 | 431;
}

/** A response outside 2xx. Thrown anywhere below a route, turned into a response in one place. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }

  static of(refusal: Refusal): Problem {
    const { refused, detail, data, retryAfterSeconds } = refusal;
    return new Problem(refused, detail, {
      ...(data === undefined ? {} : { data }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }

  get status(): number {
    return this.extras.status ?? problems[this.code].status;
  }

  /** The document of RFC 9457. */
  toDocument(requestId: string): Record<string, unknown> {
    const { data = {}, errors } = this.extras;
    return {
      ...data,
      type: `urn:council-report-service:problem:${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      request_id: requestId,
      ...(errors === undefined ? {} : { errors }),
    };
  }
}

/** The problem for any thrown error; `internal` for an unexpected one. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof AccountBudgetSpent) {
    return new Problem('rate_limited', 'Too many different events were checked. Nothing was charged.', {
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
  if (error instanceof MarketUnavailable) {
    return new Problem('unavailable', 'The market is unavailable at the moment. Nothing was charged.', {
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
  if (error instanceof OutcomeUnknown || error instanceof BatchUnreachable) {
    return new Problem('unavailable', error.message, {
      data: { outcome: 'unknown' },
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
  if (error instanceof PaymentsUnavailable) {
    return new Problem('unavailable', 'Payments are unavailable at the moment. Nothing was charged.', {
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
  if (error instanceof SessionKeysUnavailable) {
    return new Problem('unavailable', 'Sessions cannot be verified at the moment.', { retryAfterSeconds: 5 });
  }
  if (error instanceof PasswordsBusy) {
    return new Problem('unavailable', 'Too many people are signing in at the moment.', {
      retryAfterSeconds: passwordsBusyRetrySeconds,
    });
  }
  // Before the database: a caller who leaves in the middle of a body is an `ECONNABORTED` as well.
  const unreadable = bodyProblem(error);
  if (unreadable !== null) return unreadable;
  return isDatabaseUnavailable(error)
    ? new Problem('unavailable', 'The database is unavailable at the moment.', { retryAfterSeconds: 5 })
    : new Problem('internal', 'An internal error occurred. It has been logged.');
}

/** Errors of `express.json`, identified by their `type`. */
function bodyProblem(error: unknown): Problem | null {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      return invalidJson();
    case 'entity.too.large':
      return new Problem('payload_too_large', `A body can have at most ${bodyMaxBytes} bytes.`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new Problem('unsupported_media_type', 'The body must be JSON in UTF-8.');
    case 'request.aborted':
    case 'request.size.invalid':
      return unreadableBody();
    default:
      if (error instanceof URIError) return new Problem('not_found', 'There is nothing at this path.');
      return problemOfStatus(error);
  }
}

export function invalidJson(): Problem {
  return new Problem('invalid_request', 'The body is not valid JSON.', {
    errors: [{ pointer: '#', detail: 'not valid JSON' }],
  });
}

/** A body that cannot be decompressed has an error with a status only, as has a file that is not the required version. */
function problemOfStatus(error: unknown): Problem | null {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 400) return unreadableBody();
  if (status !== 412) return null;
  return new Problem('invalid_request', 'The file is not the version that the request requires.', {
    status,
    errors: [],
  });
}

function unreadableBody(): Problem {
  return new Problem('invalid_request', 'The body is incomplete or cannot be decompressed.', {
    errors: [{ pointer: '#', detail: 'cannot be read' }],
  });
}
