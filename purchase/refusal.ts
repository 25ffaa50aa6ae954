/**
 * A refused purchase as a value. It is plain data because it passes through workflow histories and between
 * processes. A refused purchase has recorded nothing and charged nothing.
 */
export interface Refusal {
  readonly refused: RefusalCode;
  /** A text for a person. It never holds a secret. */
  readonly detail: string;
  /** Data that the caller can act on, with the field names of the public problem. */
  readonly data?: Readonly<Record<string, number | string | readonly string[]>>;
  readonly retryAfterSeconds?: number;
  /** What metrics count the refusal as, where its code also stands for something that an operator must mend. */
  readonly countedAs?: 'event_rests' | 'network_grants_reached';
  /** Only of a purchase for a row of a batch: what keeps it from buying is the batch's own, and no other row would fit. */
  readonly pausesBatch?: 'budget';
}

/** The problems of the public API (`contract/problems.ts`) with which a purchase can be refused. */
export type RefusalCode =
  | 'insufficient_credits'
  | 'quote_expired'
  | 'event_closed'
  | 'event_not_found'
  | 'lane_unavailable'
  | 'idempotency_mismatch'
  | 'run_limit_exceeded'
  | 'account_suspended'
  | 'key_limit_reached_today'
  | 'house_limit_reached'
  | 'unavailable';
