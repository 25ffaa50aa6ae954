import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import {
  type SignedEvent,
  type StripeStandIn,
  startStripeStandIn,
} from '../support/stripe/stripe-stand-in.js';

let stripe: StripeStandIn;
let gateway: PaymentGateway;

beforeAll(async () => {
  stripe = await startStripeStandIn();
  gateway = stripe.gateway();
});

afterAll(() => stripe.close());

const now = new Date('2031-03-05T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

const session = {
  id: 'cs_1',
  mode: 'payment',
  payment_status: 'paid',
  payment_intent: 'pi_1',
  subscription: null,
  amount_total: 700,
  currency: 'usd',
};
const paid = {
  kind: 'checkout_paid',
  sessionId: 'cs_1',
  paymentIntentId: 'pi_1',
  amountCents: 700,
  currency: 'usd',
  checkoutReference: null,
};

function read({ body, signature }: SignedEvent) {
  return gateway.readEvent(Buffer.from(body), signature, now);
}

function readEvent(type: string, object: unknown) {
  return read(stripe.event(type, object, { at: now }));
}

describe('the signature', () => {
  const type = 'checkout.session.completed';

  test('of Stripe is accepted for five minutes', () => {
    for (const age of [0, 299, 300]) {
      expect(read(stripe.event(type, session, { at: secondsAgo(age) }))).toEqual(paid);
    }
  });

  test('that is older is rejected', () => {
    expect(read(stripe.event(type, session, { at: secondsAgo(301) }))).toBeNull();
  });

  test('from the future is accepted as far as clocks differ, and rejected beyond', () => {
    expect(read(stripe.event(type, session, { at: secondsAgo(-300) }))).toEqual(paid);
    for (const ahead of [301, 86_400, 10 ** 9]) {
      const event = stripe.event(type, session, { at: secondsAgo(-ahead) });
      expect(read(event)).toBeNull();
      // Another timestamp in the header does not help: the signature covers the one that counts.
      expect(read({ ...event, signature: `t=${now.getTime() / 1_000},${event.signature}` })).toBeNull();
      expect(read({ ...event, signature: `${event.signature},t=${now.getTime() / 1_000}` })).toBeNull();
    }
  });

  test('with another secret or body, an empty one or a missing one is rejected', () => {
    const good = stripe.event(type, session, { at: now });
    expect(read(stripe.event(type, session, { at: now, secret: 'whsec_other' }))).toBeNull();
    expect(read({ ...good, body: good.body.replace('700', '001') })).toBeNull();
    expect(read({ ...good, body: `${good.body} ` })).toBeNull();
    expect(read({ ...good, body: '' })).toBeNull();
    for (const signature of ['', 'nonsense', 't=1', `t=${now.getTime() / 1_000},v1=`, 'v1=00']) {
      expect(read({ ...good, signature })).toBeNull();
    }
  });

  test('with a changed timestamp is rejected', () => {
    const old = stripe.event(type, session, { at: secondsAgo(600) });
    const signature = old.signature.replace(/t=\d+/, `t=${now.getTime() / 1_000}`);
    expect(read({ ...old, signature })).toBeNull();
  });
});

describe('a Stripe event', () => {
  test('reports a checkout as paid when it is completed and paid, or paid later', () => {
    expect(readEvent('checkout.session.completed', session)).toEqual(paid);
    expect(readEvent('checkout.session.async_payment_succeeded', session)).toEqual(paid);
    expect(readEvent('checkout.session.completed', { ...session, payment_status: 'unpaid' })).toBe('ignored');
    expect(readEvent('checkout.session.async_payment_failed', session)).toBe('ignored');
    expect(readEvent('checkout.session.expired', session)).toBe('ignored');
  });

  test('names the checkout that this service opened, and no other program’s', () => {
    const metadata = { checkout_id: 'checkout-1' };
    const type = 'checkout.session.completed';
    expect(readEvent(type, { ...session, client_reference_id: 'checkout-1', metadata })).toEqual({
      ...paid,
      checkoutReference: 'checkout-1',
    });
    for (const other of [
      { client_reference_id: 'checkout-1' },
      { client_reference_id: 'x', metadata },
      { metadata },
    ]) {
      expect(readEvent(type, { ...session, ...other })).toEqual(paid);
    }
  });

  test('ignores a checkout without a payment or in setup mode', () => {
    const free = { ...session, payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 };
    expect(readEvent('checkout.session.completed', free)).toBe('ignored');
    expect(readEvent('checkout.session.completed', { ...session, payment_intent: null })).toBe('ignored');
    expect(readEvent('checkout.session.completed', { ...session, mode: 'setup' })).toBe('ignored');
  });

  test('of a refund or dispute contains only the payment’s id', () => {
    const changed = { kind: 'payment_changed', paymentIntentId: 'pi_1' };
    for (const type of [
      'charge.refunded',
      'refund.failed',
      'charge.dispute.created',
      'charge.dispute.closed',
    ]) {
      expect(readEvent(type, { payment_intent: 'pi_1', amount_refunded: 1, status: 'won' })).toEqual(changed);
    }
    expect(readEvent('charge.refunded', { payment_intent: null })).toBe('ignored');
  });

  test('of a warning of fraud contains the payment’s id and its own', () => {
    const warned = { kind: 'payment_changed', paymentIntentId: 'pi_1', warningId: 'issfr_1' };
    const warning = { id: 'issfr_1', charge: 'ch_1', payment_intent: 'pi_1', actionable: true };
    expect(readEvent('radar.early_fraud_warning.created', warning)).toEqual(warned);
    expect(readEvent('radar.early_fraud_warning.created', { ...warning, payment_intent: null })).toBe(
      'ignored',
    );
  });

  test('of a paid invoice contains its customer and the periods that it bills', () => {
    const lines = { data: [{ period: { start: 1_000, end: 2_000 }, amount: 300 }] };
    expect(readEvent('invoice.paid', { id: 'in_1', customer: 'cus_1', lines })).toEqual({
      kind: 'invoice_paid',
      customerId: 'cus_1',
      periods: [{ from: new Date(1_000_000), to: new Date(2_000_000) }],
    });
    expect(readEvent('invoice.paid', { id: 'in_1', customer: null, lines })).toBe('ignored');
  });

  test('of a subscription contains only its id', () => {
    const changed = { kind: 'subscription_changed', subscriptionId: 'sub_1' };
    const completed = { ...session, mode: 'subscription', subscription: 'sub_1', payment_intent: null };
    expect(readEvent('checkout.session.completed', completed)).toEqual(changed);
    for (const word of ['created', 'updated', 'deleted', 'paused']) {
      expect(readEvent(`customer.subscription.${word}`, { id: 'sub_1', status: 'active' })).toEqual(changed);
    }
  });

  test.each<[what: string, type: string, object: unknown, fields: string[]]>([
    ['a session without an id', 'checkout.session.completed', { ...session, id: 5 }, ['data.object.id']],
    [
      'a session with a payment as an object',
      'checkout.session.completed',
      { ...session, payment_intent: { id: 'pi_1' } },
      ['data.object.payment_intent'],
    ],
    ['no session at all', 'checkout.session.async_payment_succeeded', null, ['data.object']],
    ['a subscription without an id', 'customer.subscription.updated', {}, ['data.object.id']],
    ['an invoice without lines', 'invoice.paid', { customer: 'cus_1' }, ['data.object.lines']],
    ['a refund that is a text', 'charge.refunded', 'pi_1', ['data.object']],
  ])('of odd shape is unreadable, with its type and fields: %s', (_what, type, object, fields) => {
    expect(readEvent(type, object)).toEqual({
      kind: 'unreadable',
      type,
      fields,
      id: expect.stringMatching(/^evt_/),
    });
  });

  test('of no known shape at all is unreadable; of another type, any shape is ignored', () => {
    const signed = (body: string) => read(stripe.sign(body, { at: now }));
    for (const body of ['[]', '5', '"x"', '{}', '{"type":5}']) {
      expect(signed(body)).toMatchObject({ kind: 'unreadable', type: null });
    }
    expect(signed('{"type":"charge.refunded"}')).toMatchObject({ kind: 'unreadable', fields: ['data'] });
    expect(signed('{"type":"v1.billing.meter.no_meter_found","related_object":null}')).toBe('ignored');
  });

  test('of any other type is ignored', () => {
    for (const type of ['invoice.created', 'charge.succeeded', 'customer.created', 'something.new']) {
      expect(readEvent(type, { id: 'x' })).toBe('ignored');
    }
  });
});
