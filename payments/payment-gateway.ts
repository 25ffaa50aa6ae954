import type {
  CheckoutState,
  Pack,
  PaymentEvent,
  PaymentState,
  SubscriptionState,
} from '../council/purchase/billing.js';

/** The payment provider as this service uses it. Each call is one attempt; the caller decides on retries. */
export interface PaymentGateway {
  /** Creates a customer and returns its id. Not idempotent. */
  createCustomer(accountId: string): Promise<string>;
  /** Opens the payment page for a pack. Idempotent: a checkout id has one session. */
  createPackCheckout(checkout: PackCheckout): Promise<CheckoutSession>;
  /** Reads the session of a checkout. Null if it does not exist. */
  readCheckout(sessionId: string): Promise<CheckoutState | null>;
  /** Opens the payment page for the metered subscription. */
  createSubscriptionCheckout(checkout: SubscriptionCheckout): Promise<CheckoutSession>;
  /** Cancels the subscription at the end of its period. */
  cancelSubscription(subscriptionId: string): Promise<void>;
  /** Ends the subscription immediately without a final invoice. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** Null if the subscription does not exist. */
  readSubscription(subscriptionId: string): Promise<SubscriptionState | null>;
  /** Reads the current refunds and disputes of a payment. */
  readPaymentState(paymentIntentId: string): Promise<PaymentState>;
  /** Finds the checkout session of a payment; null if the payment has none. */
  findSession(paymentIntentId: string): Promise<string | null>;
  /** Sends a meter event. Succeeds if the provider already has an event with this identifier. */
  sendUsage(usage: Usage): Promise<void>;
  /** Cancels a meter event. Possible for one day after it was sent. */
  cancelUsage(usage: Pick<Usage, 'identifier'>): Promise<void>;
  /** `ignored`: valid but irrelevant. Null: not signed by the provider, or the signature is too old. */
  readEvent(body: Uint8Array, signature: string, now: Date): PaymentEvent | 'ignored' | null;
}

interface RedirectUrls {
  /** Redirect after the payment. */
  readonly successUrl: string;
  /** Redirect after the payer leaves without paying. */
  readonly cancelUrl: string;
}

export interface PackCheckout extends RedirectUrls {
  /** The service's id of the checkout. */
  readonly checkoutId: string;
  readonly accountId: string;
  readonly pack: Pack;
  /** Null if the account has no customer yet. */
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
  /** Chosen by the service. The provider ignores duplicates for one day. */
  readonly identifier: string;
  readonly customerId: string;
  readonly valueUsdCents: number;
  readonly occurredAt: Date;
}

/**
 * A request to the payment provider failed. The message contains only error codes of the response, because
 * its text can repeat a key.
 */
export class PaymentsUnavailable extends Error {
  /** Whether the same request can succeed later. */
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
