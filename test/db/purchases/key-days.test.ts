import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { apiKeyHash, mintApiKey } from '../../../db/accounts/api-keys.js';
import type { Lane } from '../../../purchase/purchase.js';
import { putKey } from '../support/account-steps.js';
import { bought, buy, complete, isSold, refund, sell } from '../support/purchases.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';
import { usageOf } from '../support/usage.js';

const world = useTestWorld();

const freshCredits = 120;

const newKey = async (accountId: string, maxCreditsPerDay: number | null) => {
  const id = randomUUID();
  const keyHash = apiKeyHash(randomBytes(8).toString('hex'));
  const limits = { scope: 'spend', expiresAt: null, maxCreditsPerDay } as const;
  await mintApiKey(world.db, { id, accountId, name: 'test', keyPrefix: 'test', keyHash, limits, now: noon });
  return id;
};

const cappedCaller = async (maxCreditsPerDay: number) => {
  const accountId = await world.openAccount(5_000);
  return { accountId, apiKeyId: await newKey(accountId, maxCreditsPerDay) };
};

type Caller = Awaited<ReturnType<typeof cappedCaller>>;

const buyFresh = async (caller: Caller, now = noon, lane: Lane = 'credits') =>
  buy(
    world.db,
    { ...caller, lane, eventId: await world.openEvent(), utcDay: now.toISOString().slice(0, 10) },
    { now },
  );

const overToday = { refused: 'key_limit_reached_today' };

test('of fifty purchases at once with a key for three reports a day, exactly three are sold', async () => {
  const caller = await cappedCaller(3 * freshCredits);
  const outcomes = await inParallel(50, () => buyFresh(caller));
  expect(outcomes.filter(isSold)).toHaveLength(3);
  for (const outcome of outcomes) if (!isSold(outcome)) expect(outcome).toMatchObject(overToday);
});

test('the refusal says what is spent and when the key can spend again, and other keys are not held up', async () => {
  const caller = await cappedCaller(200);
  expect(isSold(await buyFresh(caller))).toBe(true);
  expect(await buyFresh(caller)).toMatchObject({
    ...overToday,
    data: { max_credits_per_day: 200, spent_credits: freshCredits, resets_at: '2031-03-06T00:00:00.000Z' },
  });
  const other = { ...caller, apiKeyId: await newKey(caller.accountId, null) };
  expect(isSold(await buyFresh(other))).toBe(true);
  expect(await buyFresh({ ...caller, apiKeyId: await newKey(caller.accountId, 1) })).toMatchObject(overToday);
});

test('the day changes at midnight UTC, to the millisecond', async () => {
  const caller = await cappedCaller(freshCredits);
  expect(isSold(await buyFresh(caller, new Date('2031-03-05T23:59:59.999Z')))).toBe(true);
  expect(await buyFresh(caller, new Date('2031-03-05T23:59:59.999Z'))).toMatchObject(overToday);
  expect(isSold(await buyFresh(caller, new Date('2031-03-06T00:00:00.000Z')))).toBe(true);
  expect(await buyFresh(caller, new Date('2031-03-06T23:59:59.999Z'))).toMatchObject(overToday);
  expect(await buyFresh(caller, new Date('2031-03-05T00:00:00.000Z'))).toMatchObject(overToday);
});

test('a refund gives back what it counted', async () => {
  const caller = await cappedCaller(freshCredits);
  const sold = await sell(world, caller);
  expect(await buyFresh(caller)).toMatchObject(overToday);
  await refund(world.db, sold, noon);
  expect(isSold(await buyFresh(caller))).toBe(true);
});

test('an owned report is free to a key that has spent its day, and a cached one counts with its price', async () => {
  const caller = await cappedCaller(freshCredits + freshCredits / 2);
  const { eventId } = await sell(world, caller);
  const shared = await sell(world);
  await complete(world.db, shared.reportId);
  expect(await bought(world.db, { ...caller, eventId: shared.eventId })).toMatchObject({ kind: 'cached' });
  expect(await buyFresh(caller)).toMatchObject({ ...overToday, data: { spent_credits: 180 } });
  expect(await bought(world.db, { ...caller, eventId })).toMatchObject({ kind: 'owned', creditsSpent: 0 });
});

test('a report with the own keys of the caller counts with its fee', async () => {
  const caller = await cappedCaller(99);
  await putKey(world, caller.accountId);
  expect(isSold(await buyFresh(caller, noon, 'byok'))).toBe(true);
  expect(await buyFresh(caller, noon, 'byok')).toMatchObject({ ...overToday, data: { spent_credits: 50 } });
});

test('a weekly grant counts with its credits', async () => {
  const accountId = await world.openAccount(5_000, { weeklyGrant: true });
  const caller: Caller = { accountId, apiKeyId: await newKey(accountId, freshCredits) };
  expect(await buyFresh(caller)).toMatchObject({ pool: 'weekly_grant' });
  expect(await buyFresh(caller)).toMatchObject({ ...overToday, data: { spent_credits: freshCredits } });
});

test('a cent that a subscription is billed counts as a credit', async () => {
  const { accountId } = await usageOf(world).subscriber();
  const caller: Caller = { accountId, apiKeyId: await newKey(accountId, 599) };
  expect(await buyFresh(caller, noon, 'subscription')).toMatchObject({ creditsSpent: 0 });
  expect(await buyFresh(caller, noon, 'subscription')).toMatchObject({
    ...overToday,
    data: { spent_credits: 300 },
  });
  expect(isSold(await buyFresh(caller))).toBe(true);
});
