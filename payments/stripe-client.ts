import { Stripe } from 'stripe';
import type { PaymentGateway } from './payment-gateway.js';
import { createStripeGateway } from './stripe-gateway.js';

export interface StripeSettings {
  readonly secretKey: string;
  /** Origin of the API. Defaults to Stripe's. */
  readonly apiBase: string | undefined;
  readonly timeoutMs?: number;
}

/** Shorter than the timeout of the API's callers, who wait for most of these calls. */
const callTimeoutMs = 10_000;

/** Configures the SDK: one HTTP request per call, with a timeout and without following redirects. */
export function createStripeClient({
  secretKey,
  apiBase,
  timeoutMs = callTimeoutMs,
}: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    ...hostOptions(apiBase),
    // The SDK's Node client retries when a connection closes, and its timeout covers only inactivity.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: 'error' })),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeoutMs,
  });
}

/** The base URL is an origin: the SDK takes its parts, and would drop a path. */
function hostOptions(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port } = new URL(apiBase);
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

/** Null if payments are not configured. Needs both secrets, because payments are confirmed by webhook. */
export function createPaymentGateway(settings: PaymentSettings): PaymentGateway | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  if (secretKey === undefined || webhookSecret === undefined) return null;
  const stripe = createStripeClient({ secretKey, apiBase: settings.STRIPE_API_BASE });
  return createStripeGateway(stripe, webhookSecret);
}
