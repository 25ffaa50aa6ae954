import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { type GrpcProxy, historyMethods, startGrpcProxy } from '../../support/service/grpc-proxy.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { send } from '../../support/service/send.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const wanted = 'sample-fed-cut-2031';
/** A purchase whose response is lost takes eight seconds. */
const promptMs = 4_000;

describe('while a part of Temporal is away behind a frontend that answers', () => {
  let proxy: GrpcProxy;
  let service: TestService;

  beforeAll(async () => {
    proxy = await startGrpcProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
    service = await startTestService({ temporalAddress: proxy.address });
  });

  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

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

describe('in a namespace that does not exist', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ namespace: 'not-made-yet', worker: false });
  });

  afterAll(() => service.stop());

  test('readiness says so', async () => {
    const ready = await send(`${service.url}/readyz`);
    expectProblem(ready, 'unavailable');
    expect(ready.body.checks).toEqual({ database: null, temporal: 'the namespace does not exist' });
  });

  test('a fresh report is refused, and nothing is recorded', async () => {
    const caller = await service.newCaller(1_000);
    const before = await footprint(service);
    expectProblem(await caller.buy(wanted), 'unavailable');
    expect(await footprint(service)).toEqual(before);
  });
});

describe('in a namespace without the search attributes of the runs', () => {
  test('a start that can never succeed is tried once', async () => {
    const service = await startTestService({ namespace: await ownNamespace(), worker: false });
    try {
      const caller = await service.newCaller(1_000);
      const before = await footprint(service);
      const begunAt = performance.now();
      expectProblem(await caller.buy(wanted), 'unavailable');
      expect(performance.now() - begunAt).toBeLessThan(promptMs);
      expect(await footprint(service)).toEqual({
        ...before,
        report_purchases: Number(before['report_purchases']) + 1,
      });
      expect(await caller.balance()).toBe(1_000);
    } finally {
      await service.stop();
    }
  });
});
