import type { ProblemCode } from './problems.js';

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
