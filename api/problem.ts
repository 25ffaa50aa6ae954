import { type ProblemCode, problems } from '../council/problems.js';
import type { Refusal } from '../council/refusal.js';

/** One field or parameter of a request that is wrong. */
export interface FieldError {
  /** JSON pointer into the body, as a URI fragment. */
  readonly pointer?: string;
  /** Name of a path, query or header parameter. */
  readonly parameter?: string;
  readonly detail: string;
}

interface ProblemExtras {
  /** What the caller can act on, named as `contract` §3 names it. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
}

/** An answer outside 2xx. Thrown anywhere below a route; presented in one place. */
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
    return problems[this.code].status;
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
