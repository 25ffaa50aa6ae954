import { randomUUID, scryptSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { reconcile } from '../db/support/reconcile.js';
import { repeatedCalls } from '../support/repeated-calls.js';
import { useFleet } from '../support/service/fleet.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import { type Answer, type TestCaller, testPassword } from '../support/service/test-caller.js';
import { until } from '../support/until.js';

/** The rate limit of one vendor; the others are those of `temporal.yaml`. */
const grokPerSecond = 1;

const fleet = await useFleet({
  latencyMs: { min: 700, max: 1_200 },
  manifest: manifest => ({
    ...manifest,
    model_calls: {
      ...manifest.model_calls,
      per_second: { ...manifest.model_calls.per_second, grok: grokPerSecond },
    },
  }),
});
const apis = [await fleet.add('api'), await fleet.add('api')] as const;
const workers = [await fleet.add('worker'), await fleet.add('worker'), await fleet.add('worker')];
await Promise.all([...apis, ...workers].map(each => each.ready()));

/** The same customer, calling another API. */
function at(api: ServiceProcess, caller: TestCaller): TestCaller {
  return Object.create(caller, { url: { value: api.url } });
}

async function charges(caller: TestCaller): Promise<number> {
  return (await caller.ledger()).filter(({ kind }) => kind === 'charge').length;
}

describe('two APIs', () => {
  test('both refuse a revoked key from the next request on', async () => {
    const caller = await fleet.newCaller(apis[0], 0);
    const other = at(apis[1], caller);
    expect((await other.get('/api/credits/balance')).status).toBe(200);
    const { body } = await caller.get('/api/keys', { as: 'session' });
    const revoked = await caller.delete(`/api/keys/${body.keys[0].id}`, { as: 'session' });
    expect(revoked.status).toBe(204);
    const answers = await Promise.all([caller, other].map(each => each.get('/api/credits/balance')));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test('store a password as its scrypt hash alone', async () => {
    await fleet.newCaller(apis[0], 0);
    const { rows } = await sql<{ password: string }>`select password from auth."account"`.execute(
      fleet.database.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { password } of rows) {
      const [salt = '', hash] = password.split(':');
      const cost = { N: 2 ** 14, r: 16, p: 1, maxmem: 64 * 2 ** 20 };
      expect(hash).toBe(scryptSync(testPassword, salt, 64, cost).toString('hex'));
    }
  });

  test.each([
    ['without an Idempotency-Key', () => ({}), [200, 202]],
    [
      'with the same Idempotency-Key',
      () => ({ 'idempotency-key': randomUUID() }),
      // Every request with the key gets the same receipt.
      [202, 202],
    ],
  ])('charge once for one purchase sent to both at once, %s', async (name, headers, statuses) => {
    const caller = await fleet.newCaller(apis[0], 2_000);
    const event = name.startsWith('without') ? 'sample-fed-cut-2031' : 'sample-ridge-derby-2031';
    const sent = headers();
    const answers = await Promise.all(apis.map(api => at(api, caller).buy(event, {}, sent)));
    expect(new Set(answers.map(({ body }) => body.report_id)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(statuses));
    expect(await charges(caller)).toBe(1);
  });
});

const events = [
  'sample-bitcoin-high-2031',
  'sample-calder-mayor-2031',
  'sample-chess-knockout-2031',
  'sample-exoplanet-claims-2031',
  'sample-expo-host-2031',
  'sample-great-quake-2031',
];

describe('three workers', () => {
  let bought: { caller: TestCaller; answer: Answer }[];

  test('finish every run although one of them is killed, and repeat no call whose answer is stored', async () => {
    const callers = await Promise.all(apis.map(api => fleet.newCaller(api, 4_000)));
    await until('no other run is open', async () => (await runsUnderWay()) === 0);
    const before = fleet.simulator.calls.length;
    const release = fleet.simulator.hold({});
    bought = await Promise.all(
      events.map(async (event, index) => {
        const caller = callers[index % callers.length] as TestCaller;
        return { caller, answer: await caller.buy(event) };
      }),
    );
    expect(bought.map(({ answer }) => answer.status)).toEqual(events.map(() => 202));
    const asked = () => fleet.simulator.calls.slice(before);
    // Not every worker has calls: Temporal distributes them.
    const asking = await until(
      'every call has arrived',
      async () => {
        const arrived = asked().length;
        const pids = await openCalls();
        return pids.length <= arrived ? pids : [];
      },
      pids => pids.length > 0,
    );
    const victim = workers.find(({ pid }) => pid !== null && asking.includes(pid)) as ServiceProcess;
    victim.kill('SIGKILL');
    await until('its calls are aborted', () => asked().some(({ aborted }) => aborted));
    release();
    for (const { caller, answer } of bought) {
      expect(await caller.untilEnded(answer.body.report_id)).toMatchObject({
        status: 'completed',
        council_config: { runtime: { degraded: false } },
      });
      expect(await charges(caller)).toBe(events.length / callers.length);
    }
    expect(await repeatedCalls(fleet.database.db, fleet.simulator.calls)).toEqual([]);
    expect(await reconcile(fleet.database.db)).toEqual([]);
  });

  test('shared runs and calls among them', async () => {
    const seen = new Set<number>();
    for (const { caller, answer } of bought) {
      for (const pid of await pidsOf(caller.accountId, answer)) seen.add(pid);
    }
    const alive = workers.flatMap(({ pid }) => (pid === null ? [] : [pid]));
    expect(alive).toHaveLength(2);
    expect([...seen]).toEqual(expect.arrayContaining(alive));
  });

  test('kept to the rate limit of a vendor together', () => {
    const intervalMs = 3_000;
    // One more call can begin at either end of an interval, and one can arrive late on a busy machine.
    const allowed = (intervalMs / 1_000) * grokPerSecond + 2;
    const most = (model: string) =>
      mostWithin(
        intervalMs,
        fleet.simulator.calls.filter(call => call.model === model).map(call => call.at),
      );
    expect(most('grok')).toBeLessThanOrEqual(allowed);
    expect(most('claude')).toBeGreaterThan(allowed);
  });
});

const underWay = `WorkflowType = 'councilReport' AND ExecutionStatus = 'Running'`;

async function runsUnderWay(): Promise<number> {
  return (await fleet.temporal.workflow.count(underWay)).count;
}

/** The processes with model calls in progress; NaN for a call that no worker has started yet. */
async function openCalls(): Promise<number[]> {
  const { workflow } = fleet.temporal;
  const pids: number[] = [];
  for await (const run of workflow.list({ query: underWay })) {
    const { raw } = await workflow.getHandle(run.workflowId, run.runId).describe();
    const asking = (raw.pendingActivities ?? []).filter(({ activityType }) =>
      activityType?.name?.startsWith('ask'),
    );
    pids.push(...asking.map(({ lastWorkerIdentity }) => Number.parseInt(lastWorkerIdentity ?? '', 10)));
  }
  return pids;
}

/** The processes that worked on a run: a worker's identity begins with its pid. */
async function pidsOf(accountId: string, { body }: Answer): Promise<number[]> {
  const { workflow } = fleet.temporal;
  const pids: number[] = [];
  const query = `AccountId = "${accountId}" AND ReportId = ${body.report_id}`;
  for await (const { workflowId, runId } of workflow.list({ query })) {
    const { events: history } = await workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of history ?? []) {
      const identity =
        event.activityTaskStartedEventAttributes?.identity ??
        event.workflowTaskStartedEventAttributes?.identity;
      if (typeof identity === 'string') pids.push(Number.parseInt(identity, 10));
    }
  }
  return pids;
}

/** The largest number of these times within one interval of this length. */
function mostWithin(ms: number, moments: readonly number[]): number {
  return Math.max(...moments.map(from => moments.filter(at => at >= from && at < from + ms).length));
}
