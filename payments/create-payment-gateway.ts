import type { PaymentGateway } from './payment-gateway.js';
import { createStripeClient } from './stripe-client.js';
import { createStripeGateway } from './stripe-gateway.js';

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
