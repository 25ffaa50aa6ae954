import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reconcile } from '../../db/support/reconcile.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const events = createSampleEventCopies();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ markets: events });
});
afterAll(async () => {
  const faults = await reconcile(service.database.db);
  await service.stop();
  expect(faults).toEqual([]);
});

const anEvent = () => events.retell('sample-fed-cut-2031');

/** How many answers came with each status and code. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = `${status} ${body.code ?? body.pool ?? ''}`.trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function price(): Promise<number> {
  const caller = await service.newCaller();
  return (await caller.get('/api/credits/pricing')).body.fresh_credits;
}

/** Buys reports on this many different events concurrently. */
function buyDifferent(caller: TestCaller, count: number): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => caller.buy(anEvent())));
}

async function endAll(caller: TestCaller, answers: readonly Answer[]): Promise<void> {
  for (const { status, body } of answers) if (status === 202) await caller.untilEnded(body.report_id);
}

describe('concurrent requests', () => {
  test('100 for the same report are one report and one debit', async () => {
    const caller = await service.newCaller(1_000);
    const eventId = anEvent();
    const answers = await Promise.all(Array.from({ length: 100 }, () => caller.buy(eventId)));
    expect(new Set(answers.map(({ body }) => body.report_id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
    await endAll(caller, answers);
    expect((await caller.ledger()).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });

  test('40 for runs on the last credits start exactly as many as the balance pays for', async () => {
    const cost = await price();
    const caller = await service.newCaller(3 * cost + 1);
    const answers = await buyDifferent(caller, 40);
    await endAll(caller, answers);
    expect(tally(answers)).toEqual({ '202 purchased': 3, '402 insufficient_credits': 37 });
    const spent = answers.reduce((sum, { body }) => sum + (body.credits_spent ?? 0), 0);
    expect(await caller.balance()).toBe(3 * cost + 1 - spent);
  });

  test('20 for runs in one hour start five, and say when to retry', async () => {
    const caller = await service.newCaller(100_000);
    const answers = await buyDifferent(caller, 20);
    await endAll(caller, answers);
    expect(tally(answers)).toEqual({ '202 purchased': 5, '429 run_limit_exceeded': 15 });
    for (const { status, headers } of answers) {
      if (status !== 429) continue;
      const [, seconds] = /"runs";r=0;t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      expect(headers.get('ratelimit-policy')).toBe('"runs";q=5;w=3600');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(seconds));
      expect(Number(seconds)).toBeGreaterThan(3_500);
    }
  });

  test('20 for runs on a weekly grant spend it once', async () => {
    const caller = await service.newCaller(0, { weeklyGrant: true });
    const answers = await buyDifferent(caller, 20);
    await endAll(caller, answers);
    expect(tally(answers)).toEqual({ '202 weekly_grant': 1, '402 insufficient_credits': 19 });
  });

  test('60 for API keys create keys up to the limit of 20', async () => {
    const caller = await service.newCaller();
    const mint = () => caller.post('/api/keys', { name: 'race' }, { as: 'session' });
    const answers = await Promise.all(Array.from({ length: 60 }, mint));
    // One was created with the account.
    expect(tally(answers)).toEqual({ '201': 19, '409 key_limit_reached': 41 });
    const { body } = await caller.get('/api/keys', { as: 'session' });
    expect(body.keys).toHaveLength(20);
  });

  test('five from each of 20 accounts for one cached report sell it once to each', async () => {
    const eventId = anEvent();
    const seller = await service.newCaller(1_000);
    await seller.untilEnded((await seller.buy(eventId)).body.report_id);
    const buyers = await Promise.all(Array.from({ length: 20 }, () => service.newCaller(100)));
    const answers = await Promise.all(
      buyers.flatMap(buyer => Array.from({ length: 5 }, () => buyer.buy(eventId))),
    );
    expect(answers.filter(({ body }) => body.cached)).toHaveLength(20);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});
