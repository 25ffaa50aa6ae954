import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { mintApiKey } from '../../db/api-keys.js';
import { balanceCredits } from '../../db/ledger.js';
import { readStatement } from '../../db/ledger-statement.js';
import { inParallel } from './support/in-parallel.js';
import { bought, refund } from './support/purchases.js';
import { later, noon, useTestWorld } from './support/test-world.js';

const world = useTestWorld();

const all = { page: 1, perPage: 100 };

/** Grant, charge and refund, charge. */
const moved = async () => {
  const accountId = await world.openAccount(1_000);
  const lost = { accountId, eventId: await world.openEvent(), purchaseId: randomUUID() };
  await bought(world.db, lost, { now: later({ minutes: 1 }) });
  await refund(world.db, lost, later({ minutes: 2 }));
  const kept = { accountId, eventId: await world.openEvent() };
  const { reportId } = await bought(world.db, kept, { now: later({ minutes: 3 }) });
  return { accountId, reportId };
};

test('a statement is newest first, and each line says what it left behind', async () => {
  const { accountId, reportId } = await moved();
  const { rows, total } = await readStatement(world.db, accountId, all);
  expect(total).toBe(4);
  expect(
    rows.map(({ at, kind, amount_credits, balance_after }) => [at, kind, amount_credits, balance_after]),
  ).toEqual([
    [later({ minutes: 3 }), 'charge', -120, 880],
    [later({ minutes: 2 }), 'refund', 120, 1_000],
    [later({ minutes: 1 }), 'charge', -120, 880],
    [noon, 'grant', 1_000, 1_000],
  ]);
  expect(rows[0]).toMatchObject({ report_id: reportId, pool: 'purchased', api_key_id: null });
});

test('its pages follow one another, and its last line is the balance', async () => {
  const { accountId } = await moved();
  const whole = await readStatement(world.db, accountId, all);
  const pages = await Promise.all(
    [1, 2, 3].map(page => readStatement(world.db, accountId, { page, perPage: 2 })),
  );
  expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows);
  expect(pages.map(({ total }) => total)).toEqual([4, 4, 4]);
  expect(whole.rows[0]?.balance_after).toBe(await balanceCredits(world.db, accountId, 'purchased'));
});

test('each line carries on from the one before it, also after purchases at once', async () => {
  const accountId = await world.openAccount(1_000);
  const events = await inParallel(5, () => world.openEvent());
  await Promise.all(events.map(eventId => bought(world.db, { accountId, eventId })));
  const { rows } = await readStatement(world.db, accountId, all);
  const before = rows.map(({ balance_after, amount_credits }) => balance_after - amount_credits);
  expect(before.slice(0, -1)).toEqual(rows.slice(1).map(({ balance_after }) => balance_after));
  expect(before.at(-1)).toBe(0);
});

test('it has neither the lines of another account nor those of the house', async () => {
  const [first, second] = [await moved(), await moved()];
  const own = await readStatement(world.db, first.accountId, all);
  const theirs = await readStatement(world.db, second.accountId, all);
  const ids = new Set(own.rows.map(({ id }) => id));
  expect(theirs.rows.filter(({ id }) => ids.has(id))).toEqual([]);
  expect(await readStatement(world.db, await world.openAccount(), all)).toEqual({ rows: [], total: 0 });
});

test('a charge and its refund name the API key that bought', async () => {
  const accountId = await world.openAccount(1_000);
  const apiKeyId = randomUUID();
  await mintApiKey(world.db, {
    id: apiKeyId,
    accountId,
    name: 'test',
    keyPrefix: 'pc_live_test',
    keyHash: randomBytes(32),
    now: noon,
  });
  const wish = { accountId, apiKeyId, eventId: await world.openEvent(), purchaseId: randomUUID() };
  await bought(world.db, wish);
  await refund(world.db, wish);
  const { rows } = await readStatement(world.db, accountId, all);
  expect(rows.map(({ api_key_id }) => api_key_id)).toEqual([apiKeyId, apiKeyId, null]);
});
