import { usageAcceptedDays, usageResendHours } from '../limits.js';

/** A fixed number of purchased credits at a fixed price. */
export interface Pack {
  readonly id: PackId;
  readonly credits: number;
  readonly priceUsdCents: number;
}

export const packIds = ['starter', 'standard', 'large'] as const;

export type PackId = (typeof packIds)[number];

/** What can be bought: the more at once, the less a credit costs, between 0.010 and 0.014 USD. */
export const packs: Readonly<Record<PackId, Pack>> = {
  starter: { id: 'starter', credits: 500, priceUsdCents: 700 },
  standard: { id: 'standard', credits: 2_000, priceUsdCents: 2_400 },
  large: { id: 'large', credits: 10_000, priceUsdCents: 10_000 },
};

/**
 * How many of a pack's credits go back when so much of its price was refunded. Rounded up: a credit that was not paid
 * for whole is not kept.
 */
export function creditsRefunded(pack: Omit<Pack, 'id'>, refundedUsdCents: number): number {
  return Number(
    (BigInt(pack.credits) * BigInt(refundedUsdCents) + BigInt(pack.priceUsdCents) - 1n) /
      BigInt(pack.priceUsdCents),
  );
}

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
export interface PaymentState {
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

/**
 * What to do with usage that is still to be sent. `hold`: sending it might bill it twice, or would be refused for its
 * age; a person has to find out.
 */
export function usageFate(
  usage: { readonly occurredAt: Date; readonly firstTriedAt: Date | null },
  now: Date,
): 'send' | 'hold' {
  const triedMs = usage.firstTriedAt === null ? 0 : now.getTime() - usage.firstTriedAt.getTime();
  const ageMs = now.getTime() - usage.occurredAt.getTime();
  return triedMs > usageResendHours * hourMs || ageMs > usageAcceptedDays * 24 * hourMs ? 'hold' : 'send';
}

const hourMs = 3_600_000;
