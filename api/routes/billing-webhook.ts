import express, { type RequestHandler } from 'express';
import { bodyMaxBytes } from '../../council/limits.js';
import type { PaidCheckout, PaymentEvent } from '../../council/purchase/billing.js';
import { fulfilCheckout } from '../../db/billing/checkouts.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { followPayment, followSubscription, paymentsOf } from '../billing/follow-payments.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/**
 * `POST /api/billing/webhook`: what Stripe has to tell. The signature is over the bytes, so they are taken as they
 * come. An answer of 2xx says that the event is done with; for anything else Stripe sends it again, for three days.
 */
export function billingWebhookRoute(context: ApiContext): RequestHandler[] {
  return [
    express.raw({ type: () => true, limit: bodyMaxBytes }),
    async (request, response) => {
      const payments = paymentsOf(context);
      const body: unknown = request.body;
      const signature = request.get('stripe-signature') ?? '';
      const event = payments.readEvent(
        Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        signature,
        context.now(),
      );
      if (event === null) throw notSigned();
      if (event !== 'ignored') await handle(context, payments, event);
      response.json({ received: true });
    },
  ];
}

function notSigned(): Problem {
  const detail = 'is not a signature of this body, or an old one';
  return new Problem('invalid_request', `Stripe-Signature: ${detail}`, {
    errors: [{ parameter: 'Stripe-Signature', detail }],
  });
}

async function handle(context: ApiContext, payments: PaymentGateway, event: PaymentEvent): Promise<void> {
  switch (event.kind) {
    case 'checkout_paid':
      return fulfil(context, event);
    case 'payment_changed':
      return followPayment(context, payments, event.paymentIntentId);
    case 'subscription_changed':
      return followSubscription(context, payments, event.subscriptionId);
  }
}

/** A payment that fits no checkout is for a person to look at: sending the event again would change nothing. */
async function fulfil({ db, now, log }: ApiContext, paid: PaidCheckout): Promise<void> {
  const { sessionId, amountCents, currency } = paid;
  const outcome = await fulfilCheckout(db, paid, now());
  if (outcome === 'unknown') log.warn({ sessionId }, 'a payment for no checkout of ours');
  if (outcome === 'wrong_amount') log.error({ sessionId, amountCents, currency }, 'a checkout paid wrongly');
}
