import { Stripe } from 'stripe';
import type { PaymentGateway } from './payment-gateway.js';
import { createStripeGateway } from './stripe-gateway.js';

export interface StripeSettings {
  readonly secretKey: string;
  /** Where the API is; the official address unless told. */
  readonly apiBase: string | undefined;
  readonly timeoutMs?: number;
}

/** A caller waits for most of these calls, so they are given up before the caller does. */
const callTimeoutMs = 10_000;

/** The SDK, so set up that one call is one HTTP request which ends in time and goes where it was sent. */
export function createStripeClient({
  secretKey,
  apiBase,
  timeoutMs = callTimeoutMs,
}: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    ...addressOf(apiBase),
    // The SDK's Node client sends a request again by itself when its connection closes, and limits silence only.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: 'error' })),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeoutMs,
  });
}

/** @throws Error for a base with a path, which the SDK could not keep. */
function addressOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port, pathname } = new URL(apiBase);
  if (pathname !== '/') throw new Error('STRIPE_API_BASE takes a protocol, a host and a port, no path');
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  };
}

export interface PaymentSettings {
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_API_BASE?: string | undefined;
}

/** Null where payments are not set up: both secrets are needed, for what is paid must also be heard of. */
export function createPaymentGateway(settings: PaymentSettings): PaymentGateway | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  if (secretKey === undefined || webhookSecret === undefined) return null;
  const stripe = createStripeClient({ secretKey, apiBase: settings.STRIPE_API_BASE });
  return createStripeGateway(stripe, webhookSecret);
}
