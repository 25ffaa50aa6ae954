import { isDeepStrictEqual } from 'node:util';
import type { PaidCheckout, PaymentEvent, SubscriptionState } from '../../council/purchase/billing.js';
import {
  fulfilCheckout,
  isKnownPayment,
  recordPaymentState,
  saveSessionPayment,
} from '../../db/billing/checkouts.js';
import { saveSubscription } from '../../db/billing/subscriptions.js';
import { type PaymentGateway, PaymentsUnavailable } from '../../payments/payment-gateway.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

type Context = Pick<ApiContext, 'db' | 'now' | 'log'>;

/**
 * Processes an event of Stripe. Except for paid checkouts, an event only triggers a read of the present state
 * from Stripe, so repeated and reordered events do no harm.
 */
export async function processPaymentEvent(
  context: Context,
  payments: PaymentGateway,
  event: PaymentEvent,
): Promise<void> {
  switch (event.kind) {
    case 'checkout_paid':
      return fulfil(context, event);
    case 'payment_changed':
      return followPayment(context, payments, event.paymentIntentId);
    case 'subscription_changed':
      return followSubscription(context, payments, event.subscriptionId);
  }
}

/** A payment that matches no checkout is logged for an operator: a repeated event would change nothing. */
async function fulfil({ db, now, log }: Context, paid: PaidCheckout): Promise<void> {
  const { sessionId, amountCents, currency } = paid;
  const outcome = await fulfilCheckout(db, paid, now());
  if (outcome === 'unknown') log.warn({ sessionId }, 'payment for an unknown checkout');
  if (outcome === 'wrong_amount') {
    log.error({ sessionId, amountCents, currency }, 'checkout paid with a wrong amount');
  }
}

/** Updates the stored refunds and disputes of a payment to their present state at Stripe. */
async function followPayment(
  { db, now }: Context,
  payments: PaymentGateway,
  paymentIntentId: string,
): Promise<void> {
  if (!(await isKnownPayment(db, paymentIntentId))) {
    const sessionId = await payments.findSession(paymentIntentId);
    // The same Stripe account can receive payments that have nothing to do with this service.
    if (sessionId === null || !(await saveSessionPayment(db, sessionId, paymentIntentId))) return;
  }
  await syncUntilStable(
    () => payments.readPaymentState(paymentIntentId),
    state => recordPaymentState(db, paymentIntentId, state, now()),
  );
}

/** Updates the stored subscription to its present state at Stripe. */
export async function followSubscription(
  context: Context,
  payments: PaymentGateway,
  subscriptionId: string,
): Promise<void> {
  await syncUntilStable(
    () => payments.readSubscription(subscriptionId),
    async state => {
      if (state !== null) await storeSubscription(context, payments, state);
    },
  );
}

/** Usage is billed by customer, so a second live subscription would bill it twice. The later one is ended. */
async function storeSubscription(
  { db, now, log }: Context,
  payments: PaymentGateway,
  state: SubscriptionState,
): Promise<void> {
  const stored = await saveSubscription(db, state, now());
  if (stored.outcome !== 'another_is_live') return;
  const other = await payments.readSubscription(stored.subscriptionId);
  if (other !== null) await saveSubscription(db, other, now());
  const retried = await saveSubscription(db, state, now());
  if (retried.outcome !== 'another_is_live') return;
  const { subscriptionId } = state;
  log.warn({ subscriptionId, kept: stored.subscriptionId }, 'ending a second live subscription');
  await payments.endSubscription(subscriptionId);
}

const roundsMax = 5;

/**
 * Stores the state at Stripe and reads it again, until the stored state is still current. Two concurrent
 * calls cannot leave an outdated state behind, because each one verifies its own write.
 * @throws PaymentsUnavailable if the state keeps changing
 */
async function syncUntilStable<State>(
  read: () => Promise<State>,
  write: (state: State) => Promise<void>,
): Promise<void> {
  let state = await read();
  for (let round = 0; round < roundsMax; round += 1) {
    await write(state);
    const current = await read();
    if (isDeepStrictEqual(current, state)) return;
    state = current;
  }
  throw new PaymentsUnavailable('the state at Stripe keeps changing', { retryable: true });
}

/** Payments are set up by an operator, so an early retry is useless. */
const retryAfterSeconds = 3_600;

/** @throws Problem `payments_not_configured` */
export function requirePayments({ payments }: Pick<ApiContext, 'payments'>): PaymentGateway {
  if (payments !== null) return payments;
  throw new Problem('payments_not_configured', 'Payments are not configured on this service.', {
    retryAfterSeconds,
  });
}
