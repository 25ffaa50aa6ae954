import { describe, expect, test } from '@jest/globals';
import { spendCredits } from '../../db/support/spend-credits.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestBilling } from '../../support/use-service.js';

const billing = await useTestBilling();
const { stripe, service } = billing;

const status = async (caller: TestCaller) => (await caller.get('/api/billing/status')).body;

describe('refunds and disputes', () => {
  test('a refund removes its credits; a second refund adds to it; a repeated event changes nothing', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    payment.amount_refunded = 7;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(495);
    const late = stripe.event('charge.refunded', { ...payment });
    payment.amount_refunded = 350;
    await billing.deliverNew('charge.refunded', payment);
    await billing.deliver(late);
    expect(await caller.balance()).toBe(250);
    payment.amount_refunded = 700;
    await Promise.all(Array.from({ length: 10 }, () => billing.deliverNew('charge.refunded', payment)));
    expect(await caller.balance()).toBe(0);
    const kinds = (await caller.ledger()).map(({ kind, amount_credits }) => [kind, amount_credits]);
    expect(kinds).toEqual([
      ['adjustment', -250],
      ['adjustment', -245],
      ['adjustment', -5],
      ['purchase', 500],
    ]);
  });

  test('a refund before the fulfilment is stored until then', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const session = stripe.books.pay(session_id);
    const payment = stripe.books.payment(session.payment_intent);
    payment.amount_refunded = 350;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(0);
    await billing.deliverNew('checkout.session.completed', session);
    expect(await caller.balance()).toBe(250);
  });

  test('spent credits are owed and shown to their account only', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()];
    const { payment } = await billing.buyPack(caller);
    await spendCredits(service.database.db, caller.accountId, 420);
    payment.amount_refunded = 700;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(0);
    expect(await status(caller)).toMatchObject({ owed_credits: 420 });
    expect(await status(other)).toMatchObject({ owed_credits: 0 });
  });

  test('an account that owes buys no report, not even with its weekly grant, until it buys credits', async () => {
    const caller = await service.newCaller(0, { weeklyGrant: true });
    const eventId = 'sample-chess-knockout-2031';
    const grant = async () => (await caller.get('/api/credits/balance')).body;
    expect(await grant()).toMatchObject({ owed_credits: 0, weekly_grant: { available: true } });
    const { payment } = await billing.buyPack(caller);
    await spendCredits(service.database.db, caller.accountId, 420);
    payment.amount_refunded = 700;
    await billing.deliverNew('charge.refunded', payment);
    expect(await grant()).toMatchObject({
      balance_credits: 0,
      owed_credits: 420,
      weekly_grant: { available: false },
    });
    const refused = await caller.buy(eventId);
    expect(refused).toMatchObject({
      status: 402,
      body: { code: 'insufficient_credits', balance_credits: 0, owed_credits: 420 },
    });
    expect(refused.body.detail).toContain('Buy credits');
    expect((await caller.get(`/api/reports/check/${eventId}`)).body).toMatchObject({ pool: 'purchased' });
    await billing.buyPack(caller);
    expect(await grant()).toMatchObject({
      balance_credits: 80,
      owed_credits: 0,
      weekly_grant: { available: true },
    });
    expect((await caller.get(`/api/reports/check/${eventId}`)).body).toMatchObject({ pool: 'weekly_grant' });
  });

  test('a dispute removes all credits and a won dispute restores them, in any order of events', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    const dispute = stripe.books.dispute(payment);
    const created = stripe.event('charge.dispute.created', dispute);
    await billing.deliver(created);
    expect(await caller.balance()).toBe(0);
    dispute.status = 'won';
    await billing.deliverNew('charge.dispute.funds_reinstated', dispute);
    expect(await caller.balance()).toBe(500);
    await billing.deliver(created);
    await billing.deliverNew('charge.dispute.closed', dispute);
    expect(await caller.balance()).toBe(500);
  });

  test('an outdated state that is written last is corrected', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    let held: () => void = () => undefined;
    const holding = new Promise<void>(resolve => {
      stripe.before = line => {
        if (line !== 'GET /v1/disputes') return;
        stripe.before = () => undefined;
        resolve();
        return new Promise<void>(go => {
          held = go;
        });
      };
    });
    // The refund is read while there is none of it, and what was read waits.
    const slow = billing.deliver(stripe.event('charge.refunded', payment));
    await holding;
    payment.amount_refunded = 700;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(0);
    held();
    expect((await slow).status).toBe(200);
    expect(await caller.balance()).toBe(0);
  });
});
