import { Stripe } from 'stripe';
import { PaymentsUnavailable } from './payment-gateway.js';

/** What a failed call to Stripe comes down to. Its own message is dropped: it may hold part of a key. */
export function stripeFailure(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const words = [error.rawType, error.code].filter(word => word !== undefined && /^[a-z_]{1,60}$/.test(word));
  if (error.statusCode === undefined)
    return new PaymentsUnavailable('Stripe: no answer', { retryable: true });
  const reason = ['Stripe:', error.statusCode, ...words].join(' ');
  return new PaymentsUnavailable(reason, {
    retryable: isRetryable(error.statusCode),
    ...retryAfter(error.headers?.['retry-after']),
  });
}

/** Stripe's answer to a meter event it has: a code in its documents, and only this sentence on the wire. */
export function isKnownMeterEvent(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.statusCode === 400 &&
    (error.code === 'duplicate_meter_event' || /event already exists with identifier/i.test(error.message))
  );
}

/** Whether Stripe says that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404;
}

function isRetryable(status: number): boolean {
  return status === 409 || status === 429 || status >= 500;
}

const retryAfterMaxSeconds = 60;

function retryAfter(header: string | undefined): { retryAfterSeconds?: number } {
  const seconds = Number(header);
  return Number.isInteger(seconds) && seconds > 0
    ? { retryAfterSeconds: Math.min(seconds, retryAfterMaxSeconds) }
    : {};
}
