import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { historyMethods, startGrpcProxy } from '../../support/service/grpc-proxy.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { send } from '../../support/service/send.js';
import { startTestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

/** A purchase whose response is lost takes eight seconds. */
const promptMs = 4_000;

const proxy = await startGrpcProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
const service = await useTestService({ temporalAddress: proxy.address });
afterAll(() => proxy.close());

test('a purchase that cannot be decided in time is withdrawn, and is not charged afterwards', async () => {
  const caller = await service.newCaller(1_000);
  const eventId = 'sample-great-quake-2031';
  const holder = new pg.Client({ connectionString: service.database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from accounts where id = $1 for no key update', [caller.accountId]);
  const answer = await caller.buy(eventId);
  await holder.end();
  expectProblem(answer, 'unavailable');
  expect(answer.body.detail).toContain('Nothing was charged');
  const run = service.temporal.workflow.getHandle(caller.workflowId(eventId));
  expect(await run.result()).toEqual({ outcome: 'nothing_to_run' });
  expect((await caller.ledger()).map(({ kind }) => kind)).toEqual(['grant']);
  expect((await caller.buy(eventId)).status).toBe(202);
});

describe('while a part of Temporal is away behind a frontend that answers', () => {
  test.each([
    ['the history service', historyMethods, 'sample-fed-cut-2031'],
    ['the matching service', ['DescribeTaskQueue'], 'sample-hottest-year-2031'],
  ])(
    'without %s a fresh report is refused at once, and nothing is recorded',
    async (_part, methods, eventId) => {
      const caller = await service.newCaller(1_000);
      const before = await footprint(service);
      proxy.hold(...methods);
      // What the queues said before is out of date.
      service.clock.offsetMs += 1_000;
      const begunAt = performance.now();
      const answer = await caller.buy(eventId);
      expect(performance.now() - begunAt).toBeLessThan(promptMs);
      expectProblem(answer, 'unavailable');
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await footprint(service)).toEqual(before);

      proxy.hold();
      expect(await hasWorkflow(service, caller.accountId, eventId)).toBe(false);
      expect((await caller.buy(eventId)).status).toBe(202);
    },
  );
});

test('while purchases wait for their answers, a further one is refused before anything is started or recorded', async () => {
  const eventId = 'sample-bitcoin-high-2031';
  const last = await service.newCaller(1_000);
  const callers = [await service.newCaller(1_000), await service.newCaller(1_000)];
  // The machine's clock is behind, so that the calls do not reach their deadline while they are held.
  service.clock.offsetMs += 60_000;
  proxy.hold('ExecuteMultiOperation');
  const waiting = callers.map(caller => caller.buy(eventId));
  await until('both are sent', () => proxy.heldCalls() === 2);
  service.clock.offsetMs += 4_000;
  const before = await footprint(service);
  const refused = await last.buy(eventId);
  expectProblem(refused, 'unavailable');
  expect(refused.body.detail).toContain('Nothing was charged');
  expect(proxy.heldCalls()).toBe(2);
  expect(await hasWorkflow(service, last.accountId, eventId)).toBe(false);
  expect(await footprint(service)).toEqual(before);

  proxy.hold();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([202, 202]);
  // A report of the others may be finished by then, which is sold at once.
  expect([200, 202]).toContain((await last.buy(eventId)).status);
});

test('in a namespace that does not exist a fresh report is refused, nothing is recorded, and readiness says so', async () => {
  const elsewhere = await startTestService({ namespace: 'not-made-yet', worker: false });
  try {
    const ready = await send(`${elsewhere.url}/readyz`);
    expectProblem(ready, 'unavailable');
    expect(ready.body.checks).toEqual({ database: null, temporal: 'the namespace does not exist' });
    const caller = await elsewhere.newCaller(1_000);
    const before = await footprint(elsewhere);
    expectProblem(await caller.buy('sample-fed-cut-2031'), 'unavailable');
    expect(await footprint(elsewhere)).toEqual(before);
  } finally {
    await elsewhere.stop();
  }
});

test('in a namespace without the search attributes of the runs, a start that can never succeed is tried once', async () => {
  const elsewhere = await startTestService({ namespace: await ownNamespace(), worker: false });
  try {
    const caller = await elsewhere.newCaller(1_000);
    const before = await footprint(elsewhere);
    const begunAt = performance.now();
    expectProblem(await caller.buy('sample-fed-cut-2031'), 'unavailable');
    expect(performance.now() - begunAt).toBeLessThan(promptMs);
    expect(await footprint(elsewhere)).toEqual({
      ...before,
      report_purchases: Number(before['report_purchases']) + 1,
    });
    expect(await caller.balance()).toBe(1_000);
  } finally {
    await elsewhere.stop();
  }
});
