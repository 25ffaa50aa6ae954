/**
 * The payment provider did not do what it was asked. The message holds nothing of its answer but words from a closed
 * alphabet: an answer may repeat a key.
 */
export class PaymentsUnavailable extends Error {
  /** Whether the same request may succeed later, with nothing changed here. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number;

  constructor(reason: string, { retryable, retryAfterSeconds = 5 }: PaymentsOutage) {
    super(reason);
    this.name = 'PaymentsUnavailable';
    this.retryable = retryable;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface PaymentsOutage {
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
}
