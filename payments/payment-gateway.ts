import type {
  CheckoutState,
  Pack,
  PaymentEvent,
  ProviderPayment,
  SubscriptionState,
} from '../purchase/billing.js';

/** The payment provider as this service uses it. Each call is one attempt; the caller decides on retries. */
export interface PaymentGateway {
  /** Succeeds if the provider accepts the key, and lets it read what a purchase needs. */
  checkAccess(): Promise<void>;
  /** Creates a customer and returns its id. Requests for one account within some minutes create one. */
  createCustomer(accountId: string, now: Date): Promise<string>;
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
  /** Reads a payment with its current refunds and disputes. */
  readPaymentState(paymentIntentId: string): Promise<ProviderPayment>;
  /** Finds the checkout session of a payment; null if the payment has none. */
  findSession(paymentIntentId: string): Promise<string | null>;
  /** Sends a meter event. Succeeds if the provider already has an event with this identifier. */
  sendUsage(usage: Usage): Promise<void>;
  /**
   * Cancels a meter event. Succeeds if it is cancelled already. Possible for one day after it was sent. Attempts of one
   * series are one request: a failure that the provider has recorded is repeated, and ends with a new series only.
   */
  cancelUsage(usage: UsageCancellation): Promise<void>;
  /** What the provider has counted for a customer: minutes or days that are missing have no usage. */
  readUsage(range: UsageRange): Promise<readonly CountedUsage[]>;
  /** Opens the page on which a customer pays invoices, changes the payment method or cancels. Returns its address. */
  createPortalSession(portal: { readonly customerId: string; readonly returnUrl: string }): Promise<string>;
  /**
   * `ignored`: valid but irrelevant. Null: not signed by the provider, or the time of the signature is too far from now.
   */
  readEvent(
    body: Uint8Array,
    signature: string,
    now: Date,
  ): PaymentEvent | UnreadableEvent | 'ignored' | null;
}

/** An event that the provider has signed, about something that this service uses, in a shape that it does not know. */
export interface UnreadableEvent {
  readonly kind: 'unreadable';
  readonly type: string | null;
  readonly id: string | null;
  /** The invalid fields, as `data.object.id`; an empty name is the whole event. */
  readonly fields: readonly string[];
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

export interface UsageCancellation extends Pick<Usage, 'identifier'> {
  readonly series: number;
}

export interface UsageRange {
  readonly customerId: string;
  /** A whole minute; with `byDay`, midnight in UTC. */
  readonly from: Date;
  /** A time like `from`, excluded. */
  readonly to: Date;
  /** One entry a UTC day instead of one for the whole range. */
  readonly byDay: boolean;
}

export interface CountedUsage {
  readonly from: Date;
  readonly usdCents: number;
}

/**
 * A request to the payment provider failed. The message contains only error codes of the response, because
 * its text can repeat a key.
 */
export class PaymentsUnavailable extends Error {
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number;
  /** The HTTP status of the response; null if there was none, so that the request may have been executed. */
  readonly status: number | null;

  constructor(reason: string, { retryable, retryAfterSeconds = 5, status }: PaymentsOutage) {
    super(reason);
    this.name = 'PaymentsUnavailable';
    this.retryable = retryable;
    this.status = status ?? null;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface PaymentsOutage {
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly status?: number;
}
