import { isDeepStrictEqual } from 'node:util';
import type { PaidCheckout } from '../council/purchase/billing.js';
import {
  type Fulfilment,
  fulfilCheckout,
  isKnownPayment,
  recordPaymentState,
  saveSessionPayment,
} from '../db/billing/checkouts.js';
import type { Db } from '../db/database.js';
import { type PaymentGateway, PaymentsUnavailable } from '../payments/payment-gateway.js';

/** Follows the payments of packs: the webhook and the maintenance duty do the same with what Stripe says. */
export interface FollowContext {
  readonly db: Db;
  readonly now: () => Date;
  readonly log: Record<'warn' | 'error', (fields: object, message: string) => void>;
}

/** Fulfils a paid checkout, once. A payment that cannot be credited is stored as a finding for an operator. */
export async function fulfilPaid({ db, now, log }: FollowContext, paid: PaidCheckout): Promise<Fulfilment> {
  const { sessionId, amountCents, currency, checkoutReference } = paid;
  const outcome = await fulfilCheckout(db, paid, now());
  switch (outcome) {
    case 'wrong_amount':
      log.error({ sessionId, amountCents, currency }, 'checkout paid with a wrong amount');
      break;
    case 'unknown_session':
      log.error({ sessionId, checkoutReference }, 'payment for a checkout that does not have this session');
      break;
    case 'foreign':
      log.warn({ sessionId }, 'payment that this service did not request');
      break;
    case 'fulfilled':
    case 'fulfilled_before':
  }
  return outcome;
}

/** Updates the stored refunds and disputes of a payment to their present state at Stripe. */
export async function followPayment(
  { db, now }: Pick<FollowContext, 'db' | 'now'>,
  payments: Pick<PaymentGateway, 'findSession' | 'readPaymentState'>,
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

const roundsMax = 5;

/**
 * Stores the state at Stripe and reads it again, until the stored state is still current. Two concurrent
 * calls cannot leave an outdated state behind, because each one verifies its own write.
 * @throws PaymentsUnavailable if the state keeps changing
 */
export async function syncUntilStable<State>(
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
