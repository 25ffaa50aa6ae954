import { z } from 'zod';
import type { PaymentEvent } from '../council/purchase/billing.js';

const payment = z.object({ payment_intent: z.string().nullish() });

const session = z.object({
  id: z.string(),
  mode: z.string(),
  payment_status: z.string(),
  payment_intent: z.string().nullish(),
  subscription: z.string().nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
});

const subscription = z.object({ id: z.string() });

const event = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) });

/** Converts a Stripe event. Reads only ids and amounts, never metadata. */
export function readStripeEvent(raw: unknown): PaymentEvent | 'ignored' {
  const { type, data } = event.parse(raw);
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readSession(session.parse(data.object));
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readPayment(payment.parse(data.object));
    default:
      return type.startsWith('customer.subscription.')
        ? { kind: 'subscription_changed', subscriptionId: subscription.parse(data.object).id }
        : 'ignored';
  }
}

function readPayment({ payment_intent }: z.output<typeof payment>): PaymentEvent | 'ignored' {
  return payment_intent == null ? 'ignored' : { kind: 'payment_changed', paymentIntentId: payment_intent };
}

/** A session can be completed before it is paid, because some payment methods take days. */
function readSession(found: z.output<typeof session>): PaymentEvent | 'ignored' {
  if (found.mode === 'subscription' && found.subscription != null) {
    return { kind: 'subscription_changed', subscriptionId: found.subscription };
  }
  const { payment_intent, amount_total, currency } = found;
  if (found.mode !== 'payment' || found.payment_status !== 'paid') return 'ignored';
  if (payment_intent == null || amount_total == null || currency == null) return 'ignored';
  return {
    kind: 'checkout_paid',
    sessionId: found.id,
    paymentIntentId: payment_intent,
    amountCents: amount_total,
    currency,
  };
}
