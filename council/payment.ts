/** What the payment provider says, in the words of this service. */

/** A checkout that was paid: the only way in which credits are bought. */
export interface PaidCheckout {
  readonly sessionId: string;
  readonly paymentIntentId: string;
  readonly amountCents: number;
  /** In lower case, as ISO 4217. */
  readonly currency: string;
}

/** What became of a payment since. */
export interface PaymentStanding {
  /** All refunds together. */
  readonly refundedUsdCents: number;
  /** The money is withheld, or lost, because the payer disputes the payment. */
  readonly disputed: boolean;
}

export interface SubscriptionState {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** Stripe's word for it. */
  readonly status: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
}

/** Whether a subscription has not come to its end, so that a second one would bill the same usage twice. */
export function isLive({ status }: Pick<SubscriptionState, 'status'>): boolean {
  return !['canceled', 'incomplete', 'incomplete_expired'].includes(status);
}

/** Something that happened at the payment provider. Except for a paid checkout, a hint to look there again. */
export type PaymentEvent =
  | ({ readonly kind: 'checkout_paid' } & PaidCheckout)
  | { readonly kind: 'payment_changed'; readonly paymentIntentId: string }
  | { readonly kind: 'subscription_changed'; readonly subscriptionId: string };
