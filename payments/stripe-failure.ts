import { Stripe } from 'stripe';
import { PaymentsUnavailable } from './payment-gateway.js';

/** Converts an error of Stripe's SDK. Drops its message, which can contain part of a key. */
export function stripeFailure(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const codes = [error.rawType, error.code].filter(code => code !== undefined && /^[a-z_]{1,60}$/.test(code));
  if (error.statusCode === undefined)
    return new PaymentsUnavailable('Stripe: no answer', { retryable: true });
  const reason = ['Stripe:', error.statusCode, ...codes].join(' ');
  return new PaymentsUnavailable(reason, {
    retryable: isRetryable(error.statusCode),
    status: error.statusCode,
    ...retryAfter(error.headers?.['retry-after']),
  });
}

/** Whether Stripe already has the meter event. Stripe documents a code, but sends only this text. */
export function isKnownMeterEvent(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.statusCode === 400 &&
    (error.code === 'duplicate_meter_event' || /event already exists with identifier/i.test(error.message))
  );
}

/** Whether the meter event is cancelled already. Stripe documents no code for it, so the text decides. */
export function isCancelledMeterEvent(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.statusCode === 400 &&
    /already (been )?(cancell?ed|voided)/i.test(error.message)
  );
}

/** Whether the resource does not exist at Stripe. */
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
