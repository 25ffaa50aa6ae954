import { describe, expect, test } from '@jest/globals';
import { recordText } from '../../../contract/report-text/record-text.js';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { settlePaymentFinding } from '../../../db/billing/payment-findings.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import type { Mail } from '../../../platform/mail/mailer.js';
import { subscriptionUnpaidUsdCentsMax } from '../../../purchase/limits.js';
import { bought, buy, complete } from '../../db/support/purchases.js';
import { newAccount, newEvent } from '../../db/support/test-world.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { gate, until } from '../../support/until.js';
import { useTestBilling } from '../../support/use-service.js';

const mails: Mail[] = [];
const mailer = { send: (mail: Mail) => void mails.push(mail), close: () => Promise.resolve() };
const billing = await useTestBilling({ mailer });
const { stripe, service } = billing;

const dayMs = 24 * 3_600_000;
const wholeSecond = Math.floor(Date.now() / 1_000) * 1_000;
const period = { from: new Date(wholeSecond - dayMs), to: new Date(wholeSecond + 29 * dayMs) };
const event = 'sample-ridge-derby-2031';

/** A subscriber who has paid an invoice. */
async function payer() {
  const caller = await service.newCaller();
  const { customer } = await billing.subscribed(caller, period);
  return { caller, customer, payment: stripe.books.payInvoice(customer, 4_500) };
}

const check = (caller: TestCaller, lane = '') =>
  caller.get(`/api/reports/check/${event}${lane === '' ? '' : `?lane=${lane}`}`);
const status = async (caller: TestCaller) => (await caller.get('/api/billing/status')).body;
const notices = async (about: string) =>
  (await auditBooks(service.database.db, new Date(0))).notices.filter(notice => notice.includes(about));
const mailsTo = ({ email }: TestCaller) =>
  mails.filter(({ to, kind }) => to === email && kind === 'payment_disputed');

async function expectStopped(caller: TestCaller, detail: RegExp, missing: string) {
  for (const answer of [await check(caller), await check(caller, 'subscription'), await caller.buy(event)]) {
    expectProblem(answer, 'lane_unavailable');
    expect(answer.body).toMatchObject({
      lane: 'subscription',
      missing: [missing],
      detail: expect.stringMatching(detail),
    });
  }
  expect((await check(caller, 'credits')).status).toBe(200);
  expect(await status(caller)).toMatchObject({ next_step: expect.stringMatching(detail) });
}

describe('a disputed invoice of a subscription', () => {
  test('stops the lane, is a finding, and sends one mail; a won dispute restores the lane', async () => {
    const { caller, payment } = await payer();
    const { db } = service.database;
    await bought(db, { eventId: await newEvent(db), accountId: await newAccount(db, 500, false) });
    await sealRecord(db);
    const read = async () => (await check(caller)).body;
    const checked = await until('an entry is shown', read, ({ record_head: entry }) => entry !== null);
    expect(checked).toMatchObject({ lane: 'subscription' });
    const dispute = stripe.books.dispute(payment);
    const created = stripe.event('charge.dispute.created', dispute);
    await Promise.all([billing.deliver(created), billing.deliver(created)]);
    await billing.deliverNew('charge.dispute.funds_withdrawn', dispute);
    await expectStopped(caller, /bank.*operator.*`credits`/, 'settled_payment');
    expect(await notices(dispute.id)).toEqual([expect.stringContaining(caller.accountId)]);
    const foot = recordText(checked.record_head);
    expect(mailsTo(caller)).toEqual([expect.objectContaining({ link: `${service.url}/account`, foot })]);

    dispute.status = 'won';
    await billing.deliverNew('charge.dispute.closed', dispute);
    await billing.deliver(created);
    expect((await check(caller)).body).toMatchObject({ lane: 'subscription' });
    expect(await status(caller)).toMatchObject({ next_step: null });
    expect(await notices(dispute.id)).toEqual([]);
    expect(mailsTo(caller)).toHaveLength(1);
  });

  test('that is lost keeps the lane stopped until an operator settles it', async () => {
    const { caller, payment } = await payer();
    const dispute = stripe.books.dispute(payment);
    dispute.status = 'lost';
    await billing.deliverNew('charge.dispute.closed', dispute);
    await expectStopped(caller, /bank/, 'settled_payment');
    const settled = { reason: 'paid by transfer', now: new Date() };
    expect(await settlePaymentFinding(service.database.db, dispute.id, settled)).toMatchObject({
      kind: 'invoice_disputed',
      accountId: caller.accountId,
      paidCents: 4_500,
    });
    await billing.deliverNew('charge.dispute.updated', dispute);
    expect((await check(caller)).body).toMatchObject({ lane: 'subscription' });
  });

  test('is nothing while it is an inquiry, and nothing to this service for customers of others', async () => {
    const { caller, payment } = await payer();
    const inquiry = stripe.books.dispute(payment);
    inquiry.status = 'warning_needs_response';
    await billing.deliverNew('charge.dispute.created', inquiry);
    const foreign = stripe.books.dispute(stripe.books.payInvoice('cus_of_another_program', 100));
    await billing.deliverNew('charge.dispute.created', foreign);
    expect((await check(caller)).body).toMatchObject({ lane: 'subscription' });
    expect(await notices(foreign.id)).toEqual([]);
  });
});

describe('a warning of fraud', () => {
  const warning = (id: string, payment_intent: string) => ({ id, payment_intent, actionable: true });

  test('of an invoice stops the lane and is a finding; no mail tells a thief of a card', async () => {
    const { caller, payment } = await payer();
    const warned = warning('issfr_1', payment.payment_intent);
    await billing.deliverNew('radar.early_fraud_warning.created', warned);
    await billing.deliverNew('radar.early_fraud_warning.updated', warned);
    await expectStopped(caller, /bank/, 'settled_payment');
    expect(await notices('issfr_1')).toEqual([expect.stringContaining(caller.accountId)]);
    expect(mailsTo(caller)).toEqual([]);
  });

  test('of a pack is a finding, and takes no credits', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    await billing.deliverNew('radar.early_fraud_warning.created', warning('issfr_2', payment.payment_intent));
    expect(await notices('issfr_2')).toEqual([expect.stringContaining(caller.accountId)]);
    expect(await caller.balance()).toBe(500);
  });
});

/** A report that is billed `cents`, which no report costs: the sum is reached with one. */
async function used(accountId: string, cents: number): Promise<void> {
  const { db, pool } = service.database;
  const purchaseId = crypto.randomUUID();
  const now = new Date();
  const wish = { accountId, purchaseId, eventId: await newEvent(db), lane: 'subscription' } as const;
  const { reportId } = await bought(db, wish, { now });
  await pool.query(
    `insert into usage_outbox (id, account_id, report_id, kind, amount_usd_cents, stripe_customer_id, state,
       occurred_at, next_try_at)
     select $1, $2, $3, 'fresh', $4, stripe_customer_id, 'pending', $5, $5
     from billing_customers where account_id = $2`,
    [purchaseId, accountId, reportId, cents, now],
  );
  await complete(db, reportId, 400_000, now);
}

test('usage whose invoice is not paid stops the lane for fresh and cached reports at the limit, until it is', async () => {
  const { caller, customer } = await payer();
  const { accountId } = caller;
  const { db } = service.database;
  await used(accountId, subscriptionUnpaidUsdCentsMax - 1);
  expect((await check(caller)).body).toMatchObject({ lane: 'subscription' });
  await used(accountId, 1);
  await expectStopped(caller, /500 USD.*`credits`/, 'paid_invoice');
  const eventId = await newEvent(db);
  const sold = await bought(db, { eventId, accountId: await newAccount(db, 500, false) });
  await complete(db, sold.reportId);
  const now = new Date();
  const cached = await buy(
    db,
    { eventId, accountId, lane: 'subscription' },
    { now, allowedOutcome: 'existing' },
  );
  expect(cached).toMatchObject({ refused: 'lane_unavailable' });

  const invoice = (from: number, to: number) => ({
    customer,
    lines: { data: [{ period: { start: from / 1_000, end: to / 1_000 } }] },
  });
  await billing.deliverNew('invoice.paid', invoice(period.from.getTime() - dayMs, period.from.getTime()));
  expectProblem(await check(caller), 'lane_unavailable');
  await billing.deliverNew('invoice.paid', invoice(period.from.getTime(), period.to.getTime()));
  expect((await check(caller)).body).toMatchObject({ lane: 'subscription' });
});

test('two starts of a subscription at once make one customer', async () => {
  const caller = await service.newCaller();
  const before = stripe.books.customers.length;
  service.clock.stoppedAtMs = Date.now();
  let waiting = 0;
  const both = gate();
  stripe.before = async line => {
    if (line !== 'POST /v1/customers') return;
    waiting += 1;
    if (waiting === 2) both.open();
    await both.opened;
  };
  const starts = await Promise.all(
    [1, 2].map(() => caller.post('/api/billing/subscription', {}, { as: 'session' })),
  );
  expect(starts.map(start => start.status)).toEqual([201, 201]);
  expect(stripe.books.customers.length - before).toBe(1);
});
