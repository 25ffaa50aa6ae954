import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { packs } from '../../purchase/billing.js';
import { type StripeStandIn, startStripeStandIn } from '../support/stripe/stripe-stand-in.js';
import { failureOf } from './failure-of.js';

let stripe: StripeStandIn;
let gateway: PaymentGateway;

beforeEach(async () => {
  stripe = await startStripeStandIn();
  gateway = stripe.gateway();
});

afterEach(() => stripe.close());

const back = { successUrl: 'https://a.test/ok', cancelUrl: 'https://a.test/no' };
const noon = new Date('2031-03-05T12:00:00Z');
const usage = { identifier: 'purchase-1', customerId: 'cus_1', valueUsdCents: 300, occurredAt: noon };

function openPack(checkoutId = 'checkout-1') {
  const accountId = 'account-1';
  return gateway.createPackCheckout({
    checkoutId,
    accountId,
    pack: packs.standard,
    customerId: null,
    ...back,
  });
}

describe('a pack', () => {
  test('is paid in dollars at the service’s price, with the service’s id', async () => {
    const { sessionId, url } = await openPack();
    const session = stripe.books.sessions.get(sessionId);
    expect(url).toBe(session?.url);
    expect(session?.form).toMatchObject({
      mode: 'payment',
      client_reference_id: 'checkout-1',
      'metadata[checkout_id]': 'checkout-1',
      'payment_intent_data[metadata][checkout_id]': 'checkout-1',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '2400',
      'adaptive_pricing[enabled]': 'false',
      success_url: back.successUrl,
      cancel_url: back.cancelUrl,
    });
    expect(session?.form).not.toHaveProperty('customer');
  });

  test('opens one session per id, even if the first response was lost', async () => {
    stripe.fault = 'lost_answer';
    await failureOf(openPack());
    stripe.fault = null;
    const [one, other] = [await openPack(), await openPack()];
    expect(one).toEqual(other);
    expect(stripe.books.sessions.size).toBe(1);
    expect((await openPack('checkout-2')).sessionId).not.toBe(one.sessionId);
  });

  test('is read as waiting, paid or expired, or as null if it does not exist', async () => {
    const [{ sessionId }, other] = [await openPack(), await openPack('checkout-2')];
    expect(await gateway.readCheckout(sessionId)).toEqual({ kind: 'waiting' });
    stripe.books.pay(sessionId, 'unpaid');
    expect(await gateway.readCheckout(sessionId)).toEqual({ kind: 'waiting' });
    const { payment_intent } = stripe.books.pay(sessionId);
    expect(await gateway.readCheckout(sessionId)).toEqual({
      kind: 'paid',
      paid: {
        sessionId,
        paymentIntentId: payment_intent,
        amountCents: 2_400,
        currency: 'usd',
        checkoutReference: 'checkout-1',
      },
    });
    stripe.books.expire(other.sessionId);
    expect(await gateway.readCheckout(other.sessionId)).toEqual({ kind: 'expired' });
    expect(await gateway.readCheckout('cs_none')).toBeNull();
  });

  test('is bought by the account’s customer', async () => {
    const customerId = await gateway.createCustomer('account-1', new Date());
    const session = await gateway.createPackCheckout({
      checkoutId: 'c',
      accountId: 'account-1',
      pack: packs.starter,
      customerId,
      ...back,
    });
    expect(stripe.books.sessions.get(session.sessionId)?.customer).toBe(customerId);
  });
});

test('a customer can be created although Stripe repeats a failure under the key of some minutes', async () => {
  const at = (minutes: number) => new Date(Date.UTC(2031, 2, 5, 12, minutes));
  stripe.fault = 500;
  await expect(gateway.createCustomer('account-1', at(0))).rejects.toThrow();
  stripe.fault = null;
  await expect(gateway.createCustomer('account-1', at(9))).rejects.toThrow();
  const created = await gateway.createCustomer('account-1', at(10));
  expect(await gateway.createCustomer('account-1', at(19))).toBe(created);
});

describe('a subscription', () => {
  const period = { from: noon, to: new Date('2031-04-05T12:00:00Z') };

  async function subscribe() {
    const customerId = await gateway.createCustomer('account-1', new Date());
    const { sessionId } = await gateway.createSubscriptionCheckout({ customerId, ...back });
    return { customerId, sessionId, ...stripe.books.subscribe(sessionId, period) };
  }

  test('is metered in cents; concurrent subscriptions create its meter and price once', async () => {
    const customerId = await gateway.createCustomer('account-1', new Date());
    const checkout = () => gateway.createSubscriptionCheckout({ customerId, ...back });
    const sessions = await Promise.all([checkout(), checkout(), checkout(), checkout()]);
    await checkout();
    expect(stripe.books.meters).toMatchObject([{ event_name: 'council_report_usage' }]);
    expect(stripe.books.prices).toMatchObject([
      { lookup_key: 'council_report_usage_usd_cent', meter: stripe.books.meters[0]?.id },
    ]);
    for (const { sessionId } of sessions) {
      expect(stripe.books.sessions.get(sessionId)).toMatchObject({
        mode: 'subscription',
        form: { 'line_items[0][price]': stripe.books.prices[0]?.id, customer: customerId },
      });
    }
  });

  test('is read with its period, or as null if it does not exist', async () => {
    const { id, customerId } = await subscribe();
    expect(await gateway.readSubscription(id)).toEqual({
      subscriptionId: id,
      customerId,
      status: 'active',
      periodStart: period.from,
      periodEnd: period.to,
      cancelAtPeriodEnd: false,
      endsAt: null,
    });
    expect(await gateway.readSubscription('sub_none')).toBeNull();
  });

  test('is cancelled at the end of its period or ended immediately', async () => {
    const { id } = await subscribe();
    await gateway.cancelSubscription(id);
    expect(await gateway.readSubscription(id)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      endsAt: period.to,
    });
    await gateway.endSubscription(id);
    expect(await gateway.readSubscription(id)).toMatchObject({
      status: 'canceled',
      endsAt: expect.any(Date),
    });
  });

  test('with an end date is cancelled too', async () => {
    const { id } = await subscribe();
    Object.assign(stripe.books.subscriptions.get(id) ?? {}, { cancel_at: 1_930_000_000 });
    expect(await gateway.readSubscription(id)).toMatchObject({
      cancelAtPeriodEnd: true,
      endsAt: new Date(1_930_000_000_000),
    });
  });
});

describe('usage', () => {
  test('is metered once, even if it is sent again after a lost response', async () => {
    stripe.fault = 'lost_answer';
    await failureOf(gateway.sendUsage(usage));
    stripe.fault = null;
    await gateway.sendUsage(usage);
    await gateway.sendUsage(usage);
    expect([...stripe.books.meterEvents.values()]).toMatchObject([
      { identifier: 'purchase-1', customer: 'cus_1', value: '300', timestamp: noon.getTime() / 1_000 },
    ]);
  });

  test('is cancelled once, even if the response was lost', async () => {
    await gateway.sendUsage(usage);
    stripe.fault = 'lost_answer';
    await failureOf(gateway.cancelUsage({ ...usage, series: 0 }));
    stripe.fault = null;
    await gateway.cancelUsage({ ...usage, series: 0 });
    await gateway.cancelUsage({ ...usage, series: 1 });
    expect(stripe.books.meterEvents.get('purchase-1')).toMatchObject({ cancelled: true });
  });

  test('whose cancellation failed at Stripe is cancelled by the next series', async () => {
    await gateway.sendUsage(usage);
    stripe.fault = 500;
    expect(await failureOf(gateway.cancelUsage({ ...usage, series: 0 }))).toMatchObject({ status: 500 });
    stripe.fault = null;
    // Stripe repeats the recorded failure under the same idempotency key.
    expect(await failureOf(gateway.cancelUsage({ ...usage, series: 0 }))).toMatchObject({ status: 500 });
    await gateway.cancelUsage({ ...usage, series: 1 });
    expect(stripe.books.meterEvents.get('purchase-1')).toMatchObject({ cancelled: true });
  });

  test('cannot be cancelled if it was never sent', async () => {
    expect(await failureOf(gateway.cancelUsage({ ...usage, series: 0 }))).toMatchObject({ retryable: false });
  });

  test('is read as Stripe has counted it, by day or in one sum', async () => {
    const range = {
      customerId: 'cus_1',
      from: new Date('2031-03-05T00:00:00Z'),
      to: new Date('2031-03-07T00:00:00Z'),
      byDay: true,
    };
    expect(await gateway.readUsage(range)).toEqual([]);
    const customerId = await gateway.createCustomer('account-1', new Date());
    await gateway.createSubscriptionCheckout({ customerId, ...back });
    for (const [identifier, hours] of [
      ['a', 0],
      ['b', 11],
      ['c', 12],
      ['d', 48],
    ] as const) {
      const occurredAt = new Date(noon.getTime() + hours * 3_600_000);
      await gateway.sendUsage({ ...usage, identifier, occurredAt });
    }
    await gateway.cancelUsage({ identifier: 'b', series: 0 });
    expect(await gateway.readUsage(range)).toEqual([
      { from: range.from, usdCents: 300 },
      { from: new Date('2031-03-06T00:00:00Z'), usdCents: 300 },
    ]);
    expect(await gateway.readUsage({ ...range, byDay: false })).toEqual([
      { from: range.from, usdCents: 600 },
    ]);
  });
});

test('the portal opens for a customer and leads back', async () => {
  const customerId = await gateway.createCustomer('account-1', new Date());
  const url = await gateway.createPortalSession({ customerId, returnUrl: 'https://a.test/account' });
  expect(url).toContain(customerId);
});

describe('the state of a payment', () => {
  test('includes all refunds, and disputes as long as they cost money', async () => {
    const { sessionId } = await openPack();
    const { payment_intent } = stripe.books.pay(sessionId);
    const id = String(payment_intent);
    const payment = stripe.books.payment(payment_intent);
    expect(await gateway.findSession(id)).toBe(sessionId);
    expect(await gateway.findSession('pi_other')).toBeNull();
    const found = { customerId: null, paidCents: 2_400, currency: 'usd' };
    expect(await gateway.readPaymentState(id)).toEqual({
      ...found,
      refundedUsdCents: 0,
      disputed: false,
      disputes: [],
    });
    payment.amount_refunded = 700;
    const dispute = stripe.books.dispute(payment);
    for (const [status, disputed] of [
      ['needs_response', true],
      ['under_review', true],
      ['lost', true],
      ['appeal_under_review', true],
      ['won', false],
      ['prevented', false],
      ['warning_needs_response', false],
      ['warning_closed', false],
    ] as const) {
      dispute.status = status;
      expect(await gateway.readPaymentState(id)).toEqual({
        ...found,
        refundedUsdCents: 700,
        disputed,
        disputes: [{ id: dispute.id, cents: 2_400, currency: 'usd', isOpen: disputed }],
      });
    }
  });
});
