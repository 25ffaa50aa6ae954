import { usageAcceptedDays, usageResendHours } from '../limits.js';

/** A fixed number of purchased credits at a fixed price. */
export interface Pack {
  readonly id: PackId;
  readonly credits: number;
  readonly priceUsdCents: number;
}

export const packIds = ['starter', 'standard', 'large'] as const;

export type PackId = (typeof packIds)[number];

/** The packs on sale. A credit costs 0.010 to 0.014 USD, less in larger packs. */
export const packs: Readonly<Record<PackId, Pack>> = {
  starter: { id: 'starter', credits: 500, priceUsdCents: 700 },
  standard: { id: 'standard', credits: 2_000, priceUsdCents: 2_400 },
  large: { id: 'large', credits: 10_000, priceUsdCents: 10_000 },
};

/**
 * The credits of a pack to take back after a refund of part of its price. Rounded up: a credit that is not
 * fully paid for is taken back.
 */
export function creditsRefunded(pack: Omit<Pack, 'id'>, refundedUsdCents: number): number {
  return Number(
    (BigInt(pack.credits) * BigInt(refundedUsdCents) + BigInt(pack.priceUsdCents) - 1n) /
      BigInt(pack.priceUsdCents),
  );
}

/** A paid checkout: the only way to buy credits. */
export interface PaidCheckout {
  readonly sessionId: string;
  readonly paymentIntentId: string;
  readonly amountCents: number;
  /** In lower case, as ISO 4217. */
  readonly currency: string;
  /** The checkout that the session says it belongs to; null if it was not opened by this service. */
  readonly checkoutReference: string | null;
}

/** A checkout at the payment provider. `waiting`: open, or completed by a payment that takes days. */
export type CheckoutState =
  | { readonly kind: 'paid'; readonly paid: PaidCheckout }
  | { readonly kind: 'waiting' | 'expired' };

/** The current state of a payment. */
export interface PaymentState {
  /** The sum of all refunds. */
  readonly refundedUsdCents: number;
  /** The payer disputes the payment, so the money is withheld or lost. */
  readonly disputed: boolean;
}

export interface SubscriptionState {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** As Stripe names it. */
  readonly status: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
}

/** Whether a subscription has not ended, so that a second one would bill the same usage twice. */
export function isLive({ status }: Pick<SubscriptionState, 'status'>): boolean {
  return !['canceled', 'incomplete', 'incomplete_expired'].includes(status);
}

/** An event from the payment provider. Except for a paid checkout, it only says what to read again. */
export type PaymentEvent =
  | ({ readonly kind: 'checkout_paid' } & PaidCheckout)
  | { readonly kind: 'payment_changed'; readonly paymentIntentId: string }
  | { readonly kind: 'subscription_changed'; readonly subscriptionId: string };

/**
 * What to do with unsent usage. `hold` means that sending it could bill it twice or would be rejected for its
 * age, so an operator has to check it.
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
