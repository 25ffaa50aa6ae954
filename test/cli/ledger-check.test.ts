import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { fulfilCheckout } from '../../db/billing/checkouts.js';
import { bought, complete, purchaseRequest } from '../db/support/purchases.js';
import { useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';
import { subscribe } from '../support/service/subscribe.js';

const world = useTestWorld();
const now = new Date();
let held: string;

const check = (...args: string[]) => council(['ledger', 'check', ...args], { DATABASE_URL: world.url });

/** Writes past the guards of the database. */
const plant = (statement: string) =>
  world.together(async client => {
    await client.query('alter table report_purchases disable trigger user');
    await client.query(statement);
    await client.query('alter table report_purchases enable trigger user');
  });

beforeAll(async () => {
  const { db } = world;
  const accountId = await world.openAccount(1_000);
  await subscribe(db, accountId);
  const sold = await bought(db, purchaseRequest({ accountId, eventId: await world.openEvent() }), {
    now,
  });
  await complete(db, sold.reportId, 400_000, now);
  const metered = purchaseRequest({ accountId, eventId: await world.openEvent(), lane: 'subscription' });
  const { reportId } = await bought(db, metered, { now });
  await complete(db, reportId, 400_000, now);
  held = metered.purchaseId;
});

test('reports that the books balance, and what was checked', async () => {
  const { code, out } = await check();
  expect(code).toBe(0);
  expect(out).toContain('The books balance.');
  expect(out).toMatch(/Checked: \d+ transfers, \d+ entries, 2 purchases, 2 reports/);
});

test('prints one JSON document with --json', async () => {
  const { code, out } = await check('--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    drift: [],
    notices: [],
    checked: { transfers: expect.any(Number), entries: expect.any(Number), purchases: 2, usage: 1 },
  });
});

test('lists what a person should review, and exits with 0', async () => {
  await world.sql(`update usage_outbox set state = 'held', settled_at = now() where id = $1`, [held]);
  const { code, out } = await check();
  expect(code).toBe(0);
  expect(out).toContain(`usage ${held}`);
  expect(JSON.parse((await check('--json')).out)).toMatchObject({ ok: true, notices: [expect.any(String)] });
});

test('lists every fault, and exits with 1', async () => {
  await plant('update report_purchases set credits = credits + 1');
  const { code, out } = await check();
  expect(code).toBe(1);
  expect(out).toContain('The books do NOT balance, in 2 places:');
  expect(out.match(/its charge took/g)).toHaveLength(2);
  const json = await check('--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ ok: false, drift: [expect.any(String), expect.any(String)] });
  await plant('update report_purchases set credits = credits - 1');
  expect((await check()).code).toBe(0);
});

test('lists a payment that was not credited until an operator settles it, once and with a reason', async () => {
  const sessionId = 'cs_unknown';
  await fulfilCheckout(
    world.db,
    {
      sessionId,
      paymentIntentId: 'pi_unknown',
      amountCents: 700,
      currency: 'usd',
      checkoutReference: randomUUID(),
    },
    now,
  );
  const settle = (...args: string[]) => council(['payments', 'settle', ...args], { DATABASE_URL: world.url });
  expect((await check()).out).toContain(`session ${sessionId} was paid with 700 cents in usd`);
  expect((await settle('cs_none', '--reason', 'x')).code).not.toBe(0);
  for (const reason of ['credited by hand', 'another reason']) {
    const { code, out } = await settle(sessionId, '--reason', reason, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ session_id: sessionId, settled_reason: 'credited by hand' });
  }
  expect((await check()).out).not.toContain(sessionId);
});
