import { z } from 'zod';
import type { CheckoutState, PaidCheckout, PaymentEvent } from '../purchase/billing.js';
import type { UnreadableEvent } from './payment-gateway.js';

const payment = z.object({ payment_intent: z.string().nullish() });

const warning = payment.extend({ id: z.string() });

/** The lines that an event contains are the first ten. An invoice of this service has one. */
const invoice = z.object({
  customer: z.string().nullish(),
  lines: z.object({
    data: z.array(z.object({ period: z.object({ start: z.int(), end: z.int() }) })),
  }),
});

const session = z.object({
  id: z.string(),
  mode: z.string(),
  payment_status: z.string(),
  payment_intent: z.string().nullish(),
  subscription: z.string().nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  status: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  metadata: z.object({ checkout_id: z.string().nullish() }).nullish(),
});

const subscription = z.object({ id: z.string() });

const event = z.object({ type: z.string(), id: z.string().nullish().catch(null) });

/**
 * Converts a Stripe event. Reads ids and amounts; metadata only says whether this service opened a session. An event
 * that this service does not use may have any shape.
 */
export function readStripeEvent(raw: unknown): PaymentEvent | UnreadableEvent | 'ignored' {
  const head = event.safeParse(raw);
  if (!head.success) return { kind: 'unreadable', type: null, id: null, fields: fieldsOf(head.error) };
  const { type, id = null } = head.data;
  const read = readerOf(type)?.safeParse(raw);
  if (read === undefined) return 'ignored';
  return read.success ? read.data : { kind: 'unreadable', type, id, fields: fieldsOf(read.error) };
}

function readerOf(type: string) {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readers.session;
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readers.payment;
    case 'radar.early_fraud_warning.created':
    case 'radar.early_fraud_warning.updated':
      return readers.warning;
    case 'invoice.paid':
      return readers.invoice;
    default:
      return type.startsWith('customer.subscription.') ? readers.subscription : null;
  }
}

const about = <Shape extends z.ZodType>(object: Shape) => z.object({ data: z.object({ object }) });

const readers = {
  session: about(session).transform(({ data }) => readSession(data.object)),
  payment: about(payment).transform(({ data }) => readPayment(data.object)),
  warning: about(warning).transform(({ data }) => readPayment(data.object, { warningId: data.object.id })),
  invoice: about(invoice).transform(({ data }) => readInvoice(data.object)),
  subscription: about(subscription).transform(
    ({ data }): PaymentEvent => ({ kind: 'subscription_changed', subscriptionId: data.object.id }),
  ),
};

function fieldsOf({ issues }: z.ZodError): string[] {
  return issues.map(({ path }) => path.join('.'));
}

function readPayment(
  { payment_intent }: z.output<typeof payment>,
  cause: { warningId?: string } = {},
): PaymentEvent | 'ignored' {
  if (payment_intent == null) return 'ignored';
  return { kind: 'payment_changed', paymentIntentId: payment_intent, ...cause };
}

function readInvoice({ customer, lines }: z.output<typeof invoice>): PaymentEvent | 'ignored' {
  if (customer == null) return 'ignored';
  const periods = lines.data.map(({ period: { start, end } }) => {
    return { from: new Date(start * 1_000), to: new Date(end * 1_000) };
  });
  return { kind: 'invoice_paid', customerId: customer, periods };
}

function readSession(found: z.output<typeof session>): PaymentEvent | 'ignored' {
  if (found.mode === 'subscription' && found.subscription != null) {
    return { kind: 'subscription_changed', subscriptionId: found.subscription };
  }
  const paid = paidCheckout(found);
  return paid === null ? 'ignored' : { kind: 'checkout_paid', ...paid };
}

/** Converts a checkout session as Stripe returns it. */
export function readCheckoutSession(raw: unknown): CheckoutState {
  const found = session.parse(raw);
  const paid = paidCheckout(found);
  if (paid !== null) return { kind: 'paid', paid };
  return { kind: found.status === 'expired' ? 'expired' : 'waiting' };
}

/** Null if it is not paid: a session can be completed before, because some payment methods take days. */
function paidCheckout(found: z.output<typeof session>): PaidCheckout | null {
  const { payment_intent, amount_total, currency } = found;
  if (found.mode !== 'payment' || found.payment_status !== 'paid') return null;
  if (payment_intent == null || amount_total == null || currency == null) return null;
  return {
    sessionId: found.id,
    paymentIntentId: payment_intent,
    amountCents: amount_total,
    currency,
    checkoutReference: referenceOf(found),
  };
}

/** This service writes the id of the checkout twice, so that another program's reference is not taken for it. */
function referenceOf({ client_reference_id, metadata }: z.output<typeof session>): string | null {
  const reference = client_reference_id ?? null;
  return reference !== null && metadata?.checkout_id === reference ? reference : null;
}
