import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionState } from '../../council/purchase/billing.js';
import { knowsPayment, notePaymentOfSession, recordPaymentState } from '../../db/billing/checkouts.js';
import { noteSubscription } from '../../db/billing/subscriptions.js';
import { type PaymentGateway, PaymentsUnavailable } from '../../payments/payment-gateway.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** Brings what is noted of a payment's refunds and disputes up to what Stripe says of them now. */
export async function followPayment(
  { db, now }: Pick<ApiContext, 'db' | 'now'>,
  payments: PaymentGateway,
  paymentIntentId: string,
): Promise<void> {
  if (!(await knowsPayment(db, paymentIntentId))) {
    const sessionId = await payments.findSession(paymentIntentId);
    // A payment of other business in the same Stripe account.
    if (sessionId === null || !(await notePaymentOfSession(db, sessionId, paymentIntentId))) return;
  }
  await untilSettled(
    () => payments.readPaymentStanding(paymentIntentId),
    standing => recordPaymentState(db, paymentIntentId, standing, now()),
  );
}

type Context = Pick<ApiContext, 'db' | 'now' | 'log'>;

/** Brings what is noted of a subscription up to what Stripe says of it now, whatever an event claimed. */
export async function followSubscription(
  context: Context,
  payments: PaymentGateway,
  subscriptionId: string,
): Promise<void> {
  await untilSettled(
    () => payments.readSubscription(subscriptionId),
    async state => {
      if (state !== null) await note(context, payments, state);
    },
  );
}

/** Usage is billed by customer, so a second live subscription would bill it twice: the one that came second is ended. */
async function note(context: Context, payments: PaymentGateway, state: SubscriptionState): Promise<void> {
  const { db, now, log } = context;
  const noted = await noteSubscription(db, state, now());
  if (noted.outcome !== 'another_is_live') return;
  const other = await payments.readSubscription(noted.subscriptionId);
  if (other !== null) await noteSubscription(db, other, now());
  const again = await noteSubscription(db, state, now());
  if (again.outcome !== 'another_is_live') return;
  log.warn(
    { subscriptionId: state.subscriptionId, kept: noted.subscriptionId },
    'a second subscription is ended',
  );
  await payments.endSubscription(state.subscriptionId);
}

const roundsMax = 5;

/**
 * Writes what is read elsewhere, and reads again, until what was written last is still so. Two of these at once cannot
 * leave an old reading behind: whoever writes last has seen afterwards that it is true.
 * @throws PaymentsUnavailable when it does not stand still.
 */
async function untilSettled<Reading>(
  read: () => Promise<Reading>,
  write: (reading: Reading) => Promise<void>,
): Promise<void> {
  let reading = await read();
  for (let round = 0; round < roundsMax; round += 1) {
    await write(reading);
    const after = await read();
    if (isDeepStrictEqual(after, reading)) return;
    reading = after;
  }
  throw new PaymentsUnavailable('what was read keeps changing', { retryable: true });
}

/** Payments are set up by a person, so asking again soon is of no use. */
const askAgainSeconds = 3_600;

/** @throws Problem `payments_not_configured` where nothing can be bought. */
export function paymentsOf({ payments }: Pick<ApiContext, 'payments'>): PaymentGateway {
  if (payments !== null) return payments;
  throw new Problem('payments_not_configured', 'Nothing can be bought here: payments are not set up.', {
    retryAfterSeconds: askAgainSeconds,
  });
}
