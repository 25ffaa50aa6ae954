/** What an account can be sent, in the order of the reference. Closed: each has its own data. */
export const webhookTypes = [
  'report.completed',
  'report.failed',
  'report.graded',
  'batch.paused',
  'batch.completed',
  'balance.low',
  'webhook.test',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Each type once, in the order of the reference. */
export function typesInOrder(types: readonly WebhookType[]): readonly WebhookType[] {
  return webhookTypes.filter(type => types.includes(type));
}

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Why an endpoint is sent nothing. `asked`: by its owner; `gone`: it answered 410; `failing`: a delivery had its last try. */
export const webhookDisabledReasons = ['asked', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * The pauses between the tries of a delivery, in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, ten
 * tries in a little more than three days. A receiver that is away for a weekend loses nothing.
 */
const webhookPausesSeconds: readonly number[] = [
  5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** A pause is longer by up to this share of it, so that what failed together is not tried together again. */
const jitterShare = 0.2;

/** The status that asks for no further deliveries (RFC 9110: Gone). */
const goneStatus = 410;

/** What came of one try. */
export interface TriedDelivery {
  /** The HTTP status; null if no answer came or nothing was sent. */
  readonly statusCode: number | null;
  /** What `Retry-After` asks for; null without one. */
  readonly retryAfterSeconds: number | null;
  /** Which try of the delivery this was, from 1; those that its owner has asked for count, too. */
  readonly number: number;
}

/**
 * What follows from a try. `failed` ends the delivery; `disables` says why its endpoint gets nothing more, if it does:
 * only the last try of the schedule does that, and not one that an owner has asked for later.
 */
export type AfterTry =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly afterSeconds: number }
  | { readonly kind: 'failed'; readonly disables: 'gone' | 'failing' | null };

/** @param random from 0 to 1 */
export function afterTry(
  { statusCode, retryAfterSeconds, number }: TriedDelivery,
  random: number,
  pausesSeconds: readonly number[] = webhookPausesSeconds,
): AfterTry {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
  if (statusCode === goneStatus) return { kind: 'failed', disables: 'gone' };
  const pause = pausesSeconds[number - 1];
  if (pause === undefined) {
    const isLastOfSchedule = number === pausesSeconds.length + 1;
    return { kind: 'failed', disables: isLastOfSchedule ? 'failing' : null };
  }
  return {
    kind: 'again',
    afterSeconds: Math.max(pause * (1 + jitterShare * random), retryAfterSeconds ?? 0),
  };
}

/**
 * The purchased credits after a charge that takes them from at least the price of a fresh report to less than it; null if
 * the charge does not.
 */
export function lowBalanceAfter(
  charge: { readonly credits: number; readonly funding: { readonly pool: string | null } },
  before: { readonly balanceCredits: number; readonly quote: { readonly freshCredits: number } },
): number | null {
  const { freshCredits } = before.quote;
  if (charge.funding.pool !== 'purchased' || before.balanceCredits < freshCredits) return null;
  const left = before.balanceCredits - charge.credits;
  return left < freshCredits ? left : null;
}

/** The workflow of a delivery, as its callers name it. Its ID names the delivery, so there is one at a time. */
export const deliveryWorkflow = {
  type: 'webhookDelivery',
  wake: 'tryNow',
  idOf: (deliveryId: string) => `webhook/${deliveryId}`,
} as const;

/** All that the history has of a delivery: neither its address nor its body, and no secret. */
export interface WebhookDeliveryInput {
  readonly deliveryId: string;
  /** Tries have a queue of their own, so that receivers that hang hold no place of a report. */
  readonly taskQueue: string;
}
