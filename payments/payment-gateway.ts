import type { Pack, PaymentEvent, PaymentState, SubscriptionState } from '../council/purchase/billing.js';

/** What this service needs of a payment provider. Every call is one attempt: who retries is the caller's to say. */
export interface PaymentGateway {
  /** @returns the customer's id. Each call makes one. */
  createCustomer(accountId: string): Promise<string>;
  /** Opens the page where a pack is paid. The same checkout id opens one session, however often it is asked for. */
  createPackCheckout(checkout: PackCheckout): Promise<CheckoutSession>;
  /** Opens the page where the metered subscription begins. */
  createSubscriptionCheckout(checkout: SubscriptionCheckout): Promise<CheckoutSession>;
  /** Lets the subscription run out at the end of its period. */
  cancelSubscription(subscriptionId: string): Promise<void>;
  /** Ends the subscription now, and bills nothing for it. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** Null when there is none of this id. */
  readSubscription(subscriptionId: string): Promise<SubscriptionState | null>;
  /** Refunds and disputes of a payment, as they stand now. */
  readPaymentStanding(paymentIntentId: string): Promise<PaymentState>;
  /** The checkout session that a payment came from; null for a payment of another kind. */
  findSession(paymentIntentId: string): Promise<string | null>;
  /** Meters what a report costs. One that the provider has already, by its identifier, is as good as sent. */
  sendUsage(usage: Usage): Promise<void>;
  /** Takes a metered report off the bill, within a day of its being sent. */
  cancelUsage(usage: Pick<Usage, 'identifier'>): Promise<void>;
  /** `ignored`: genuine, but nothing to this service. Null: not signed by the provider, or signed too long ago. */
  readEvent(body: Uint8Array, signature: string, now: Date): PaymentEvent | 'ignored' | null;
}

interface RedirectUrls {
  /** Where the payer's browser goes after paying. */
  readonly successUrl: string;
  /** Where it goes when the payer turns back. */
  readonly cancelUrl: string;
}

export interface PackCheckout extends RedirectUrls {
  /** Our own id of it. */
  readonly checkoutId: string;
  readonly accountId: string;
  readonly pack: Pack;
  /** Null for an account that is no customer yet. */
  readonly customerId: string | null;
}

export interface SubscriptionCheckout extends RedirectUrls {
  readonly customerId: string;
}

export interface CheckoutSession {
  readonly sessionId: string;
  readonly url: string;
}

export interface Usage {
  /** Ours; what makes sending it twice harmless, for a day. */
  readonly identifier: string;
  readonly customerId: string;
  readonly valueUsdCents: number;
  readonly occurredAt: Date;
}

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
