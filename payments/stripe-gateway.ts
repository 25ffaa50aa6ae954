import type { Stripe } from 'stripe';
import type { CheckoutState, ProviderPayment, SubscriptionState } from '../purchase/billing.js';
import { findMeter, findUsagePrice, usageMeterName } from './find-usage-price.js';
import {
  type CheckoutSession,
  type CountedUsage,
  type PackCheckout,
  type PaymentGateway,
  PaymentsUnavailable,
  type Usage,
  type UsageCancellation,
  type UsageRange,
} from './payment-gateway.js';
import { readCheckoutSession, readStripeEvent } from './read-stripe-event.js';
import { isCancelledMeterEvent, isKnownMeterEvent, isMissing, stripeFailure } from './stripe-failure.js';

/** Older signatures are rejected as replays, and later ones too: they could be replayed for longer. */
const signatureToleranceSeconds = 300;

/** Payments through Stripe. */
export function createStripeGateway(stripe: Stripe, webhookSecret: string): PaymentGateway {
  let meter: string | null = null;
  return {
    checkAccess: () => call(async () => void (await stripe.checkout.sessions.list({ limit: 1 }))),
    createCustomer: (accountId, now) => call(() => createCustomer(stripe, accountId, now)),
    createPackCheckout: checkout => call(() => openPackCheckout(stripe, checkout)),
    readCheckout: id => call(() => readCheckout(stripe, id)),
    createSubscriptionCheckout: ({ customerId, successUrl, cancelUrl }) =>
      call(async () =>
        checkoutSession(
          await stripe.checkout.sessions.create({
            mode: 'subscription',
            customer: customerId,
            line_items: [{ price: await findUsagePrice(stripe) }],
            success_url: successUrl,
            cancel_url: cancelUrl,
          }),
        ),
      ),
    cancelSubscription: id =>
      call(async () => void (await stripe.subscriptions.update(id, { cancel_at_period_end: true }))),
    endSubscription: id =>
      call(async () => void (await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))),
    readSubscription: id => call(() => readSubscription(stripe, id)),
    readPaymentState: id => call(() => readPaymentState(stripe, id)),
    findSession: id =>
      call(async () => {
        const { data } = await stripe.checkout.sessions.list({ payment_intent: id, limit: 1 });
        return data[0]?.id ?? null;
      }),
    sendUsage: usage => call(() => sendUsage(stripe, usage)),
    cancelUsage: usage => call(() => cancelUsage(stripe, usage)),
    readUsage: range =>
      call(async () => {
        meter ??= await findMeter(stripe);
        // Nothing was ever counted if there is no meter.
        return meter === null ? [] : readUsage(stripe, meter, range);
      }),
    createPortalSession: ({ customerId, returnUrl }) =>
      call(async () => {
        const portal = { customer: customerId, return_url: returnUrl };
        return (await stripe.billingPortal.sessions.create(portal)).url;
      }),
    readEvent: (body, signature, now) => readEvent(stripe, { body, signature, now, webhookSecret }),
  };
}

/** @throws PaymentsUnavailable if the call to Stripe fails. */
async function call<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    throw stripeFailure(error);
  }
}

/** Stripe repeats a recorded failure under the same key for a day, so a key is used no longer than this. */
const customerKeyMinutes = 10;

/** Two starts of a subscription at once make one customer. */
async function createCustomer(stripe: Stripe, accountId: string, now: Date): Promise<string> {
  const series = Math.floor(now.getTime() / (customerKeyMinutes * 60_000));
  const customer = { metadata: { account_id: accountId } };
  const { id } = await stripe.customers.create(customer, {
    idempotencyKey: `customer/${accountId}/${series}`,
  });
  return id;
}

async function openPackCheckout(stripe: Stripe, checkout: PackCheckout): Promise<CheckoutSession> {
  const { checkoutId, accountId, pack, customerId } = checkout;
  const metadata = { checkout_id: checkoutId, account_id: accountId };
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: checkoutId,
      metadata,
      payment_intent_data: { metadata },
      // The paid amount is compared with the price, so both must be in dollars.
      adaptive_pricing: { enabled: false },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: pack.priceUsdCents,
            product_data: { name: `${pack.credits} council report credits` },
          },
        },
      ],
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
      ...(customerId === null ? {} : { customer: customerId }),
    },
    { idempotencyKey: checkoutId },
  );
  return checkoutSession(session);
}

function checkoutSession({ id, url }: Stripe.Checkout.Session): CheckoutSession {
  if (url === null)
    throw new PaymentsUnavailable('Stripe: a session without an address', { retryable: false });
  return { sessionId: id, url };
}

async function readCheckout(stripe: Stripe, id: string): Promise<CheckoutState | null> {
  const session = await orNull(() => stripe.checkout.sessions.retrieve(id));
  return session === null ? null : readCheckoutSession(session);
}

async function readSubscription(stripe: Stripe, id: string): Promise<SubscriptionState | null> {
  const subscription = await orNull(() => stripe.subscriptions.retrieve(id));
  return subscription === null ? null : stateOf(subscription);
}

/** Null if Stripe does not have the object. */
async function orNull<Found>(read: () => Promise<Found>): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The period belongs to the item. A subscription of this service has one item. */
function stateOf(subscription: Stripe.Subscription): SubscriptionState {
  const item = subscription.items.data[0];
  if (item === undefined) {
    throw new PaymentsUnavailable('Stripe: a subscription to nothing', { retryable: false });
  }
  return {
    subscriptionId: subscription.id,
    customerId: idOf(subscription.customer),
    status: subscription.status,
    periodStart: new Date(item.current_period_start * 1_000),
    periodEnd: new Date(item.current_period_end * 1_000),
    cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    endsAt: endOf(subscription, item.current_period_end),
  };
}

function endOf(
  { ended_at, cancel_at, cancel_at_period_end }: Stripe.Subscription,
  periodEnd: number,
): Date | null {
  const end = ended_at ?? cancel_at ?? (cancel_at_period_end ? periodEnd : null);
  return end === null ? null : new Date(end * 1_000);
}

/** Disputes that cost no money: inquiries, won disputes and prevented ones. */
const withoutLoss = /^(won|prevented|warning_\w+)$/;

/** The customer of a charge leads to the account also for invoices, whose charges do not name them. */
async function readPaymentState(stripe: Stripe, paymentIntent: string): Promise<ProviderPayment> {
  const ofPayment = { payment_intent: paymentIntent, limit: 100 };
  const { data: charges } = await stripe.charges.list(ofPayment);
  const { data: disputes } = await stripe.disputes.list(ofPayment);
  const customer = charges.find(charge => charge.customer !== null)?.customer ?? null;
  const read = disputes.map(({ id, amount: cents, currency, status }) => {
    return { id, cents, currency, isOpen: !withoutLoss.test(status) };
  });
  return {
    refundedUsdCents: charges.reduce((sum, charge) => sum + charge.amount_refunded, 0),
    disputed: read.some(({ isOpen }) => isOpen),
    customerId: customer === null ? null : idOf(customer),
    paidCents: charges.reduce((sum, charge) => sum + charge.amount_captured, 0),
    currency: charges[0]?.currency ?? 'usd',
    disputes: read,
  };
}

function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}

async function sendUsage(stripe: Stripe, usage: Usage): Promise<void> {
  try {
    await stripe.billing.meterEvents.create({
      event_name: usageMeterName,
      identifier: usage.identifier,
      timestamp: Math.floor(usage.occurredAt.getTime() / 1_000),
      payload: { stripe_customer_id: usage.customerId, value: String(usage.valueUsdCents) },
    });
  } catch (error) {
    if (!isKnownMeterEvent(error)) throw error;
  }
}

/**
 * Within one series, a retry after a lost response executes nothing twice. Stripe also repeats a recorded failure under
 * the same key, a 500 included, for a day; the next series is a new request.
 */
async function cancelUsage(stripe: Stripe, { identifier, series }: UsageCancellation): Promise<void> {
  try {
    await stripe.billing.meterEventAdjustments.create(
      { event_name: usageMeterName, type: 'cancel', cancel: { identifier } },
      { idempotencyKey: `cancel/${identifier}/${series}` },
    );
  } catch (error) {
    if (!isCancelledMeterEvent(error)) throw error;
  }
}

async function readUsage(
  stripe: Stripe,
  meter: string,
  { customerId, from, to, byDay }: UsageRange,
): Promise<CountedUsage[]> {
  const counted: CountedUsage[] = [];
  const summaries = stripe.billing.meters.listEventSummaries(meter, {
    customer: customerId,
    start_time: from.getTime() / 1_000,
    end_time: to.getTime() / 1_000,
    limit: 100,
    ...(byDay ? { value_grouping_window: 'day' as const } : {}),
  });
  for await (const { start_time, aggregated_value } of summaries) {
    counted.push({ from: new Date(start_time * 1_000), usdCents: aggregated_value });
  }
  return counted;
}

interface SignedBody {
  readonly body: Uint8Array;
  readonly signature: string;
  readonly now: Date;
  readonly webhookSecret: string;
}

function readEvent(stripe: Stripe, signed: SignedBody): ReturnType<PaymentGateway['readEvent']> {
  if (isFromFuture(signed)) return null;
  const event = verifiedEvent(stripe, signed);
  return event === null ? null : readStripeEvent(event);
}

/** The SDK checks the age only. Of several timestamps, the signature covers the last one. */
function isFromFuture({ signature, now }: SignedBody): boolean {
  const timestamp = signature.split(',').findLast(part => part.startsWith('t='));
  const seconds = Number.parseInt(timestamp?.slice(2) ?? '', 10);
  return seconds - now.getTime() / 1_000 > signatureToleranceSeconds;
}

/** Null if the SDK throws: each of its errors means that the event is not valid. */
function verifiedEvent(
  { webhooks }: Stripe,
  { body, signature, now, webhookSecret }: SignedBody,
): Stripe.Event | null {
  try {
    const receivedAt = now.getTime();
    return webhooks.constructEvent(
      body,
      signature,
      webhookSecret,
      signatureToleranceSeconds,
      undefined,
      receivedAt,
    );
  } catch {
    return null;
  }
}
