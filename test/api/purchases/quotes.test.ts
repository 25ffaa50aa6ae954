import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { setPrice } from '../../support/service/set-price.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

let caller: TestCaller;

const cachedEvent = 'sample-fed-cut-2031';
const freshEvents = [
  'sample-crewed-moon-landing-2031',
  'sample-bitcoin-high-2031',
  'sample-hottest-year-2031',
  'sample-great-quake-2031',
];

const service = await useTestService();

beforeAll(async () => {
  caller = await service.newCaller(100_000);
  const { body } = await caller.buy(cachedEvent);
  await caller.untilEnded(body.report_id);
});

/** Buys at the current price with a quote of another one. */
async function buyAt(current: number, quoted: number, eventId: string, buyer = caller) {
  await setPrice(service.database.db, current);
  return buyer.buy(eventId, { quoted_credits: quoted });
}

describe('a quote is honoured while the price is within 15 % of it, and the lower of the two is charged', () => {
  test.each<[quoted: number, current: number, charged: number]>([
    [120, 120, 120],
    [120, 138, 120],
    [120, 102, 102],
    [101, 116, 101],
  ])('quoted %i, now %i: %i', async (quoted, current, charged) => {
    const buyer = await service.newCaller(charged);
    const eventId = freshEvents[[120, 138, 102, 116].indexOf(current)] ?? '';
    const { status, body } = await buyAt(current, quoted, eventId, buyer);
    expect({ status, spent: body.credits_spent }).toEqual({ status: 202, spent: charged });
    expect(await buyer.balance()).toBe(0);
    await buyer.untilEnded(body.report_id);
  });

  test('the quote of a cached report is compared with the cached price', async () => {
    for (const [quoted, spent] of [
      [70, 69],
      [60, 60],
    ] as const) {
      const buyer = await service.newCaller(500);
      const { status, body } = await buyAt(138, quoted, cachedEvent, buyer);
      expect({ status, spent: body.credits_spent }).toEqual({ status: 200, spent });
    }
  });
});

describe('beyond 15 % the quote has expired', () => {
  test.each<[quoted: number, current: number]>([
    [120, 139],
    [120, 101],
    [101, 117],
    [101, 85],
    [1, 120],
    [0, 120],
    [1_000_000, 120],
  ])('quoted %i, now %i: the answer has the new price, and nothing is recorded', async (quoted, current) => {
    const eventId = 'sample-harbour-cup-final-2031';
    await setPrice(service.database.db, current);
    const before = await footprint(service);
    const answer = await caller.buy(eventId, { quoted_credits: quoted }, { 'idempotency-key': 'kept' });
    expectProblem(answer, 'quote_expired');
    expect(answer.body.cost_credits).toBe(current);
    expect(await footprint(service)).toEqual(before);
    expect(await hasWorkflow(service, caller.accountId, eventId)).toBe(false);
  });

  test('the new price buys the report, under the same Idempotency-Key', async () => {
    const eventId = 'sample-harbour-cup-final-2031';
    const refused = await buyAt(200, 120, eventId);
    const { status, body } = await caller.buy(
      eventId,
      { quoted_credits: refused.body.cost_credits },
      { 'idempotency-key': 'kept' },
    );
    expect({ status, spent: body.credits_spent }).toEqual({ status: 202, spent: 200 });
    await caller.untilEnded(body.report_id);
  });
});

describe('the price follows the cost of runs', () => {
  test('a completed run moves it by at most 5 %', async () => {
    await setPrice(service.database.db, 200);
    const { body } = await caller.buy('sample-ridge-derby-2031');
    await caller.untilEnded(body.report_id);
    const { fresh_credits: moved } = (await caller.get('/api/credits/pricing')).body;
    expect(moved).not.toBe(200);
    expect(Math.abs(moved - 200)).toBeLessThanOrEqual(10);
  });
});
