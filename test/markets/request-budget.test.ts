import { beforeEach, describe, expect, test } from '@jest/globals';
import { createRequestBudget } from '../../markets/request-budget.js';
import { marketRequestsReserved } from '../../purchase/limits.js';

const rate = { perSecond: 10, burst: 40 };
let nowMs = 0;
let gateFor: ReturnType<typeof createRequestBudget>;

beforeEach(() => {
  gateFor = createRequestBudget(
    () => new Date(nowMs),
    rate,
    () => undefined,
  );
});

/** How many of 1,000 requests are admitted. */
const admitted = async (purpose: Parameters<typeof gateFor>[0]) => {
  const waits = await Promise.all(Array.from({ length: 1_000 }, () => gateFor(purpose).admit('/events')));
  return waits.filter(seconds => seconds === 0).length;
};

test('searches leave the reserve to price checks, and neither keeps a purchase waiting', async () => {
  expect(await admitted('browse')).toBe(rate.burst - marketRequestsReserved);
  expect(await admitted('check')).toBe(marketRequestsReserved);
  expect(await admitted('purchase')).toBe(1_000);
});

test('after any number of purchases, searches wait for a limited time', async () => {
  await admitted('purchase');
  const seconds = await gateFor('browse').admit('/events');
  expect(seconds).toBeLessThanOrEqual((rate.burst + marketRequestsReserved + 1) / rate.perSecond + 1);
  nowMs += seconds * 1_000;
  expect(await gateFor('browse').admit('/events')).toBe(0);
});

describe('a pause that the market asked for', () => {
  test('holds for every purpose, at this endpoint alone, until it is over', async () => {
    gateFor('browse').pause('/public-search', 60);
    for (const purpose of ['browse', 'purchase', 'run', 'grading'] as const) {
      expect(await gateFor(purpose).admit('/public-search')).toBe(60);
      expect(await gateFor(purpose).admit('/events')).toBe(0);
    }
    nowMs += 60_000;
    expect(await gateFor('browse').admit('/public-search')).toBe(0);
  });
});
