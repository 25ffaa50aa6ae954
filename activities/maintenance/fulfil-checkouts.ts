import type { Logger } from 'pino';
import { saveSessionPayment } from '../../db/billing/checkouts.js';
import {
  closeCheckout,
  listOpenCheckouts,
  markCheckoutAsked,
  type OpenCheckout,
} from '../../db/billing/open-checkouts.js';
import type { Db } from '../../db/database.js';
import { followPayment, fulfilPaid } from '../../payments/follow-payment.js';
import { type PaymentGateway, PaymentsUnavailable } from '../../payments/payment-gateway.js';
import type { CheckoutState, PaidCheckout } from '../../purchase/billing.js';
import { checkoutAskedDays } from '../../purchase/limits.js';

export interface FulfilDependencies {
  readonly db: Db;
  /** Null when payments are not configured. */
  readonly checkoutReader: CheckoutReader | null;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export type CheckoutReader = Pick<PaymentGateway, 'readCheckout' | 'findSession' | 'readPaymentState'>;

export interface CheckoutRound {
  /** Paid, but their webhook had not arrived. */
  readonly fulfilled: number;
  /** Their webhook arrived while they were asked about. */
  readonly fulfilledBefore: number;
  /** Paid with a wrong amount: stored for an operator. */
  readonly findings: number;
  /** Expired without a payment, or too old to be asked about again. */
  readonly closed: number;
  /** Not paid yet. */
  readonly waiting: number;
  /** Could not be read; a later round tries again. */
  readonly failed: number;
  /** False when payments are not configured or the provider is unavailable. */
  readonly reachable: boolean;
}

/** Few enough for a round to end before the next one is due. */
const checkoutsPerRoundMax = 200;

/**
 * Asks Stripe about the open checkouts, and fulfils those that were paid: a webhook can be lost, or be sent to
 * an address that does not answer. A checkout that the webhook fulfils meanwhile is fulfilled once.
 */
export async function fulfilCheckouts(deps: FulfilDependencies): Promise<CheckoutRound> {
  const { db, checkoutReader, now, log } = deps;
  const round = { fulfilled: 0, fulfilledBefore: 0, findings: 0, closed: 0, waiting: 0, failed: 0 };
  if (checkoutReader === null) return { ...round, reachable: false };
  for (const checkout of await listOpenCheckouts(db, now(), checkoutsPerRoundMax)) {
    try {
      await markCheckoutAsked(db, checkout.id, now());
      const state = await checkoutReader.readCheckout(checkout.sessionId);
      round[await follow(deps, checkoutReader, checkout, state)]++;
    } catch (err) {
      log.warn({ err, checkout: checkout.id }, 'a checkout was not read; a later round tries again');
      round.failed++;
      // The next ones would fail as well.
      if (err instanceof PaymentsUnavailable && err.retryable) return { ...round, reachable: false };
    }
  }
  return { ...round, reachable: true };
}

async function follow(
  deps: FulfilDependencies,
  reader: CheckoutReader,
  { id, createdAt }: OpenCheckout,
  state: CheckoutState | null,
): Promise<'fulfilled' | 'fulfilledBefore' | 'findings' | 'closed' | 'waiting'> {
  if (state?.kind === 'paid') return fulfil(deps, reader, id, state.paid);
  const now = deps.now();
  const ageDays = (now.getTime() - createdAt.getTime()) / 86_400_000;
  // A session that Stripe does not know may be one of another key: it is not closed before its time.
  if (state?.kind !== 'expired' && ageDays <= checkoutAskedDays) return 'waiting';
  await closeCheckout(deps.db, id, now);
  return 'closed';
}

/**
 * Stores the refunds of the payment first: events of a refund were lost as well, and credits that were paid back
 * must not be added.
 */
async function fulfil(
  deps: FulfilDependencies,
  reader: CheckoutReader,
  id: string,
  paid: PaidCheckout,
): Promise<'fulfilled' | 'fulfilledBefore' | 'findings'> {
  await saveSessionPayment(deps.db, paid.sessionId, paid.paymentIntentId);
  await followPayment(deps, reader, paid);
  const outcome = await fulfilPaid(deps, paid);
  if (outcome === 'fulfilled_before') return 'fulfilledBefore';
  if (outcome !== 'fulfilled') return 'findings';
  deps.log.warn({ checkout: id }, 'a paid checkout was fulfilled without its webhook');
  return 'fulfilled';
}
