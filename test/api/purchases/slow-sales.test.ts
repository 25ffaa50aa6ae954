import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { type GrpcProxy, startGrpcProxy } from '../../support/service/grpc-proxy.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const wanted = 'sample-fed-cut-2031';
const kinds = async (caller: { ledger(): Promise<{ kind: string }[]> }) =>
  (await caller.ledger()).map(({ kind }) => kind);

describe('while another transaction holds the account', () => {
  let service: TestService;
  let holder: pg.Client;

  beforeAll(async () => {
    service = await startTestService();
    holder = new pg.Client({ connectionString: service.database.ownerUrl });
    await holder.connect();
  });

  afterAll(async () => {
    await holder.end();
    await service.stop();
  });

  test('a purchase that cannot be decided in time is withdrawn, and is not charged afterwards', async () => {
    const caller = await service.newCaller(1_000);
    await holder.query('begin');
    await holder.query('select from accounts where id = $1 for no key update', [caller.accountId]);
    const answer = await caller.buy(wanted);
    expectProblem(answer, 'unavailable');
    expect(answer.body.detail).toContain('Nothing was charged');
    await holder.query('rollback');
    const run = service.temporal.workflow.getHandle(
      `report/${caller.accountId}/${wanted}/${new Date().toISOString().slice(0, 10)}`,
    );
    expect(await run.result()).toEqual({ outcome: 'nothing_to_run' });
    expect(await kinds(caller)).toEqual(['grant']);
    expect((await caller.buy(wanted)).status).toBe(202);
  });
});

describe('while purchases wait for their answers', () => {
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

  test('a further one is refused before anything is started or recorded, and is sold when answers arrive', async () => {
    const last = await service.newCaller(1_000);
    const callers = [await service.newCaller(1_000), await service.newCaller(1_000)];
    // The machine's clock is behind, so that the calls do not reach their deadline while they are held.
    service.clock.offsetMs += 60_000;
    proxy.hold('ExecuteMultiOperation');
    const waiting = callers.map(caller => caller.buy(wanted));
    await until('both are sent', () => proxy.heldCalls() === 2);
    service.clock.offsetMs += 4_000;
    const before = await footprint(service);
    const refused = await last.buy(wanted);
    expectProblem(refused, 'unavailable');
    expect(refused.body.detail).toContain('Nothing was charged');
    expect(proxy.heldCalls()).toBe(2);
    expect(await hasWorkflow(service, last.accountId, wanted)).toBe(false);
    expect(await footprint(service)).toEqual(before);

    proxy.hold();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([202, 202]);
    expect((await last.buy(wanted)).status).toBe(202);
  });
});
