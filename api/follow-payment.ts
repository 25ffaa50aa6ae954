import { knowsPayment, notePaymentOfSession, notePaymentStanding } from '../db/checkouts.js';
import type { PaymentGateway } from '../payments/payment-gateway.js';
import type { ApiContext } from './context.js';
import { untilSettled } from './until-settled.js';

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
    standing => notePaymentStanding(db, paymentIntentId, standing, now()),
  );
}
