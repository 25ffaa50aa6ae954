import {
  renewalGraceMinutes,
  subscriptionUnpaidUsdCentsMax,
  usageAcceptedDays,
  usageResendHours,
  usageRetryMaxSeconds,
  usageRetryMinSeconds,
} from './limits.js';

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
  /** The code of ISO 4217 in lower case. */
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

/** A payment as the payment provider has it. */
export interface ProviderPayment extends PaymentState {
  /** Null if it was paid without a customer. */
  readonly customerId: string | null;
  readonly paidCents: number;
  /** The code of ISO 4217 in lower case. */
  readonly currency: string;
  readonly disputes: readonly Omit<PaymentAlert, 'kind'>[];
}

/** What a bank says against a payment. */
export interface PaymentAlert {
  readonly kind: 'invoice_disputed' | 'fraud_warning';
  /** The provider's id of the dispute or of the warning. */
  readonly id: string;
  readonly cents: number;
  readonly currency: string;
  /** False for a dispute that costs no money: won, prevented, or only an inquiry. */
  readonly isOpen: boolean;
}

export interface SubscriptionState {
  readonly subscriptionId: string;
  readonly customerId: string;
  /** Stripe's name of the status. */
  readonly status: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
  /** When it ended or will end. Null while it renews. */
  readonly endsAt: Date | null;
}

/** Whether a subscription has not ended, so that a second one would bill the same usage twice. */
export function isLive({ status }: Pick<SubscriptionState, 'status'>): boolean {
  return !['canceled', 'incomplete', 'incomplete_expired'].includes(status);
}

/** Whether a subscription in this status pays for reports, unless it has ended or was not renewed. */
export function isPayingStatus(status: string | null): boolean {
  return status === 'active' || status === 'trialing';
}

/**
 * Whether a subscription pays for reports: `active` or `trialing`, before its end, and at most an hour past its period.
 * A cancelled one is not renewed, so it gets no grace.
 */
export function isPaying({ status, periodEnd, endsAt }: SubscriptionState, now: Date): boolean {
  const renewedBy = new Date(periodEnd.getTime() + renewalGraceMinutes * 60_000);
  return isPayingStatus(status) && now < renewedBy && (endsAt === null || now < endsAt);
}

/**
 * Whether a stored subscription has to be read again: it was paying, but its period has ended, and no event has said
 * whether it was renewed.
 */
export function isStale({ status, periodEnd, endsAt }: SubscriptionState, now: Date): boolean {
  return isPayingStatus(status) && (periodEnd <= now || (endsAt !== null && endsAt <= now));
}

/** What decides whether the subscription of an account pays for a report. */
export interface SubscriptionStanding {
  /** Null if the account has never had one. */
  readonly subscription: SubscriptionState | null;
  /** A bank has disputed a payment or called it fraudulent, and nobody has settled it. */
  readonly hasOpenAlert: boolean;
  /** Usage whose invoice is not paid. Runs in progress do not count yet, so it can be exceeded by theirs. */
  readonly unpaidUsdCents: number;
}

export interface SubscriptionObstacle {
  readonly missing: 'subscription' | 'settled_payment' | 'paid_invoice';
  readonly nextStep: string;
}

/** What keeps the subscription from paying for a report now, and what to do about it; null if it pays. */
export function subscriptionObstacle(
  { subscription, hasOpenAlert, unpaidUsdCents }: SubscriptionStanding,
  now: Date,
): SubscriptionObstacle | null {
  if (subscription === null || !isPaying(subscription, now)) {
    return { missing: 'subscription', nextStep: nextStepOf(subscription?.status ?? null) };
  }
  if (hasOpenAlert) {
    return {
      missing: 'settled_payment',
      nextStep: `A bank has disputed a payment of this account, or reported it as fraud. If that is a mistake, have the bank withdraw it, and ask the operator. ${payWithCredits}`,
    };
  }
  if (unpaidUsdCents < subscriptionUnpaidUsdCentsMax) return null;
  return {
    missing: 'paid_invoice',
    nextStep: `Reports for ${subscriptionUnpaidUsdCentsMax / 100} USD or more are not paid yet. The subscription pays again once their invoice is paid; the page /account opens the billing portal. ${payWithCredits}`,
  };
}

const payWithCredits = 'Until then, name the lane `credits` to pay with credits.';

/** What the payer has to do before a subscription that does not pay for reports does so. It takes their session. */
function nextStepOf(status: string | null): string {
  switch (status) {
    case null:
    case 'canceled':
    case 'incomplete_expired':
      return 'Subscribe on the page /account, or with POST /api/billing/subscription and a session.';
    case 'past_due':
    case 'unpaid':
      return 'The last invoice is not paid. Pay it in the billing portal, which the page /account opens.';
    case 'paused':
      return 'The subscription is paused, because its trial ended without a payment method. Add one in the billing portal, which the page /account opens.';
    case 'incomplete':
      return 'The first payment is not complete. Complete it in the billing portal, which the page /account opens, or subscribe again.';
    default:
      return 'The subscription has ended, or its renewal is not confirmed yet. Try again in a minute, or see the billing portal, which the page /account opens.';
  }
}

/**
 * An event from the payment provider. Except for what was paid and for the id of a warning, none of which changes, it
 * only says what to read again.
 */
export type PaymentEvent =
  | ({ readonly kind: 'checkout_paid' } & PaidCheckout)
  | ({ readonly kind: 'invoice_paid' } & PaidInvoice)
  | ({ readonly kind: 'payment_changed' } & ChangedPayment)
  | { readonly kind: 'subscription_changed'; readonly subscriptionId: string };

export interface ChangedPayment {
  readonly paymentIntentId: string;
  /** The warning of fraud that the event is about. */
  readonly warningId?: string;
}

/** A paid invoice: the usage of these periods is paid. */
export interface PaidInvoice {
  readonly customerId: string;
  /** `to` is excluded. */
  readonly periods: readonly { readonly from: Date; readonly to: Date }[];
}

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

/** When usage that was refused `failures` times is tried again. */
export function usageRetryAt(failures: number, now: Date): Date {
  const seconds = Math.min(usageRetryMinSeconds * 2 ** Math.max(failures - 1, 0), usageRetryMaxSeconds);
  return new Date(now.getTime() + seconds * 1_000);
}

const hourMs = 3_600_000;
