import { PaymentsUnavailable } from '../../payments/payment-gateway.js';
import type { Traffic } from './outbox-lanes.js';

/** Shorter than the time-out of the activity by more than one call and one wait (workflows/activity-options.ts). */
const roundMs = 60_000;
/** Sixteen calls of 100 ms each are 160 rows a second. Stripe accepts 1,000 meter events a second. */
const lanesMax = 16;
/**
 * This many failures without a success are an outage, a wrong key or a closed account, not the fault of single rows.
 */
const outagesInARowMax = 10;
/** Refused rows are moved behind the others, so a round may meet many; a meter that is off refuses all. */
const refusalsInARowMax = 500;

/** What one failed call means for its row and for the round. */
export type SendFailure = 'refused' | 'throttled' | 'outage';

/** The limits of one round of the outbox: its time, its lanes, and when Stripe counts as unavailable. */
export class SendingRound implements Traffic {
  private readonly now: () => Date;
  private readonly endsAt: number;
  private resumesAt = 0;
  private open = lanesMax;
  private outages = 0;
  private refusals = 0;

  constructor(now: () => Date) {
    this.now = now;
    this.endsAt = now().getTime() + roundMs;
  }

  /** False once Stripe, or this service's account there, does not answer as it should. */
  get reachable(): boolean {
    return this.outages < outagesInARowMax && this.refusals < refusalsInARowMax;
  }

  isOver(): boolean {
    return !this.reachable || this.isOutOfTime();
  }

  isOutOfTime(): boolean {
    return this.now().getTime() >= this.endsAt;
  }

  lanes(): number {
    return this.open;
  }

  waitMs(): number {
    const now = this.now().getTime();
    return Math.max(0, Math.min(this.resumesAt, this.endsAt) - now);
  }

  succeeded(): void {
    this.outages = 0;
    this.refusals = 0;
  }

  failed(error: unknown): SendFailure {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    if (error.status === 429) return this.throttled(error.retryAfterSeconds);
    if (error.retryable || error.status === 401 || error.status === 403) {
      this.outages++;
      return 'outage';
    }
    this.refusals++;
    return 'refused';
  }

  /** All lanes wait as long as Stripe asks, and half of them go on, once for all calls that were under way. */
  private throttled(retryAfterSeconds: number): SendFailure {
    const now = this.now().getTime();
    if (now >= this.resumesAt) {
      this.open = Math.max(1, Math.floor(this.open / 2));
      this.resumesAt = now + retryAfterSeconds * 1_000;
    }
    return 'throttled';
  }
}
