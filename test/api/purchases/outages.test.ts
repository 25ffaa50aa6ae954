import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { send } from '../../support/service/send.js';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { createTestDatabase } from '../../support/service/test-database.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const finished = 'sample-fed-cut-2031';
const wanted = 'sample-hottest-year-2031';
const undecided = 'sample-great-quake-2031';

const temporal = await startTcpProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
const database = await startTcpProxy(new URL(process.env['TEST_DATABASE_URL'] ?? '').host);
const stored = await createTestDatabase(database);
const service = await useTestService({ temporalAddress: temporal.address, database: stored });
afterAll(async () => {
  await stored.drop();
  await Promise.all([temporal.cut(), database.cut()]);
});

const owner = await service.newCaller(1_000);
const other = await service.newCaller(1_000);
const finishedId: number = (await owner.buy(finished)).body.report_id;
await owner.untilEnded(finishedId);

const get = (path: string) => send(service.url + path);

/** Cuts the connection to a part during the tests of one `describe`. */
function whileUnavailable(part: TcpProxy): void {
  beforeAll(() => part.cut());
  afterAll(() => restore(part));
}

async function restore(part: TcpProxy): Promise<void> {
  await part.restore();
  await until(
    'the service is ready again',
    () => get('/readyz'),
    ({ status }) => status === 200,
  );
}

async function expectAlive(checks: object): Promise<void> {
  expect((await get('/healthz')).status).toBe(200);
  const ready = await get('/readyz');
  expectProblem(ready, 'unavailable');
  expect(ready.body.checks).toEqual(checks);
}

describe('while no worker runs', () => {
  beforeAll(() => service.stopWorker());
  afterAll(() => service.startWorker());

  test('a purchase is refused in time, and is not charged when a worker starts later', async () => {
    const before = await footprint(service);
    const answer = await owner.buy(wanted);
    expectProblem(answer, 'unavailable');
    expect(await owner.balance()).toBe(880);
    expect(await footprint(service)).toEqual({
      ...before,
      report_purchases: Number(before['report_purchases']) + 1,
    });
    expect(await states(owner)).toEqual(['charged', 'void']);

    // The first task of that run still waits for a worker, longer than a stage can bear.
    const recorded = await footprint(service);
    const refused = await other.buy(undecided);
    expectProblem(refused, 'unavailable');
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(await hasWorkflow(service, other.accountId, undecided)).toBe(false);
    expect(await footprint(service)).toEqual(recorded);

    await service.startWorker();
    await until(
      'the run has found that there is nothing to do',
      () => runOf(owner, wanted).describe(),
      ({ status }) => status.name !== 'RUNNING',
    );
    expect(await runOf(owner, wanted).result()).toEqual({ outcome: 'nothing_to_run' });
    expect(await owner.balance()).toBe(880);
    expect(await states(owner)).toEqual(['charged', 'void']);
    expect(service.simulator.calls.some(({ user }) => user.includes('hottest'))).toBe(false);
    // The server refreshes the statistics of a queue every few seconds.
    await until('nothing waits any more', backlogSeconds, seconds => seconds === 0);
    await service.stopWorker();
  });
});

describe('while Temporal is unavailable', () => {
  beforeAll(() => service.stopWorker());
  whileUnavailable(temporal);
  afterAll(() => service.startWorker());

  test('a fresh report is refused within 5 s, and nothing is recorded', async () => {
    const before = await footprint(service);
    const begunAt = Date.now();
    const answer = await other.buy(wanted, {}, { 'idempotency-key': 'again' });
    expect(Date.now() - begunAt).toBeLessThan(5_000);
    expectProblem(answer, 'unavailable');
    expect(await footprint(service)).toEqual(before);
    expect(await other.balance()).toBe(1_000);
  });

  test('the process is alive, and readiness names the missing part', () =>
    expectAlive({ database: null, temporal: expect.stringMatching(/\S/) }));

  test('reports that need no run are still sold: cached ones at half price, owned ones free', async () => {
    const caller = await service.newCaller(1_000);
    const { cached_credits } = (await get('/api/credits/pricing')).body;
    expect(await caller.buy(finished)).toMatchObject({
      status: 200,
      body: { report_id: finishedId, cached: true, credits_spent: cached_credits },
    });
    expect(await owner.buy(finished)).toMatchObject({ status: 200, body: { credits_spent: 0 } });
  });

  test('reports and balances can still be read, and keys created', async () => {
    for (const path of [
      `/api/reports/${finishedId}`,
      '/api/reports',
      '/api/credits/balance',
      '/api/credits/ledger',
      `/api/reports/check/${wanted}`,
    ])
      expect({ path, status: (await owner.get(path)).status }).toEqual({ path, status: 200 });
    expect((await owner.post('/api/keys', { name: 'minted' }, { as: 'session' })).status).toBe(201);
  });
});

test('when Temporal is available again, the refused run was never started, and the same request is charged once', async () => {
  expect(await hasWorkflow(service, other.accountId, wanted)).toBe(false);
  const { status, body } = await other.buy(wanted, {}, { 'idempotency-key': 'again' });
  expect(status).toBe(202);
  expect((await other.untilEnded(body.report_id)).status).toBe('completed');
  expect((await other.ledger()).map(({ kind }) => kind)).toEqual(['charge', 'grant']);
});

describe('while the database is unavailable', () => {
  whileUnavailable(database);

  test('the process is alive, and readiness says why', () =>
    expectAlive({ database: 'cannot be reached', temporal: null }));

  test('whatever needs it reports so, and a session is not refused as invalid', async () => {
    for (const path of ['/api/reports', '/api/credits/balance', `/api/reports/check/${finished}`])
      expectProblem(await owner.get(path), 'unavailable');
    expectProblem(await owner.get('/api/keys', { as: 'session' }), 'unavailable');
    expectProblem(await owner.buy(wanted), 'unavailable');
    expectProblem(await get('/api/credits/pricing'), 'unavailable');
    for (const path of ['sign-in', 'sign-up']) {
      const body = { email: owner.email, password: 'correct horse battery', name: 'Test' };
      expectProblem(await owner.post(`/api/auth/${path}/email`, body, { as: 'nobody' }), 'unavailable');
    }
  });

  test('events can still be found, because they need no database', async () => {
    expect((await get('/api/events')).status).toBe(200);
    expect((await get(`/api/events/${wanted}`)).status).toBe(200);
  });
});

describe('when the database becomes unavailable during a purchase', () => {
  beforeAll(() => service.stopWorker());

  test('the answer says that its outcome is unknown, and its repetition under the same key resolves it', async () => {
    const caller = await service.newCaller(1_000);
    const buy = () => caller.buy(undecided, {}, { 'idempotency-key': 'resolved' });
    const answer = buy();
    await until('the run is started', () => hasWorkflow(service, caller.accountId, undecided));
    await database.cut();
    expectUnknown(await answer);
    await restore(database);
    await service.startWorker();
    const { body } = await until('the repetition is answered', buy, ({ status }) => status !== 503);
    expect(await buy()).toMatchObject({ body: { report_id: body.report_id } });
    expect(await charges(caller)).toBe(1);
  });
});

describe('when the connection to the database breaks at the COMMIT of a cached sale', () => {
  const atCommit = { after: 'insert into "report_purchases"', request: 'commit' };

  test('after it was committed, the caller gets the receipt of what was charged', async () => {
    const caller = await service.newCaller(1_000);
    database.breakOnce({ ...atCommit, lost: 'response' });
    const answer = await caller.buy(finished, {}, { 'idempotency-key': 'lost' });
    expect(answer).toMatchObject({ status: 200, body: { report_id: finishedId, cached: true } });
    const again = await caller.buy(finished, {}, { 'idempotency-key': 'lost' });
    expect(again.body).toEqual(answer.body);
    expect(await charges(caller)).toBe(1);
    expect(await caller.balance()).toBe(1_000 - answer.body.credits_spent);
  });

  test('before it was committed, the purchase is withdrawn, and nothing is ever charged', async () => {
    const caller = await service.newCaller(1_000);
    database.breakOnce({ ...atCommit, lost: 'request' });
    expectProblem(await caller.buy(finished), 'unavailable');
    expect(await states(caller)).toEqual(['void']);
    expect(await caller.balance()).toBe(1_000);
    expect((await caller.buy(finished)).status).toBe(200);
    expect(await charges(caller)).toBe(1);
  });

  test('and the database is gone, the answer does not claim that nothing was charged', async () => {
    const caller = await service.newCaller(1_000);
    database.breakOnce({ ...atCommit, lost: 'response', isCut: true });
    expectUnknown(await caller.buy(finished));
    await restore(database);
    expect(await caller.buy(finished)).toMatchObject({ status: 200, body: { credits_spent: 0 } });
    expect(await charges(caller)).toBe(1);
  });

  test('earlier, when no COMMIT was sent, nothing was charged and nothing has to be withdrawn', async () => {
    const caller = await service.newCaller(1_000);
    database.breakOnce({ after: 'for no key update', request: 'select', lost: 'response', isCut: true });
    expectProblem(await caller.buy(finished, {}, { 'idempotency-key': 'early' }), 'unavailable');
    await restore(database);
    expect(await states(caller)).toEqual([]);
  });
});

/** It does not say that nothing was charged. */
function expectUnknown(answer: Answer): void {
  expectProblem(answer, 'unavailable');
  expect(answer.body).toMatchObject({
    outcome: 'unknown',
    detail: expect.not.stringMatching(/nothing was/i),
  });
}

async function charges(caller: TestCaller): Promise<number> {
  return (await caller.ledger()).filter(({ kind }) => kind === 'charge').length;
}

function runOf(caller: TestCaller, eventId: string) {
  return service.temporal.workflow.getHandle(caller.workflowId(eventId));
}

async function backlogSeconds(): Promise<number> {
  const { stats } = await service.temporal.workflowService.describeTaskQueue({
    namespace: service.manifest.namespace,
    taskQueue: { name: service.manifest.task_queue },
    taskQueueType: 1,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogAge?.seconds ?? 0);
}

async function states({ accountId }: TestCaller): Promise<string[]> {
  const rows = await service.database.db
    .selectFrom('report_purchases')
    .select('state')
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ state }) => state);
}
