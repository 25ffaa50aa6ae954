import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Stage } from '../../council/deliberation/stages.js';
import { reconcile } from '../db/support/reconcile.js';
import { repeatedCalls } from '../support/repeated-calls.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import { processTestMs, until } from '../support/until.js';
import { Fleet } from './fleet.js';

/** Models answer only when a test lets them; no stage may run out of time before. They do not search. */
const deadlines = { STAGE_DEADLINES_MS: '600000,600000,600000', EVIDENCE: 'off' };
/** How long a client asks the API to hold its request. A drain does not wait for this. */
const heldForSeconds = 50;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.start();
}, processTestMs);

afterAll(() => fleet.stop(), processTestMs);

const calls = (stage: Stage) => fleet.simulator.calls.filter(call => call.stage === stage);

async function answersOf(reportId: number, stage: Stage): Promise<number> {
  const { db } = fleet.database;
  const kept = await db
    .selectFrom('stage_results')
    .select('model')
    .where('report_id', '=', reportId)
    .where('stage', '=', stage)
    .execute();
  return kept.length;
}

describe('SIGTERM', () => {
  test(
    'to a worker with four calls in progress: it finishes and stores them, and another worker continues the run',
    async () => {
      const [api, first] = await Promise.all([fleet.add('api', deadlines), fleet.add('worker')]);
      await Promise.all([api.ready(), first.ready()]);
      const caller = await fleet.newCaller(api, 1_000);
      const release = fleet.simulator.hold({});
      const { body } = await caller.buy('sample-fed-cut-2031');
      await until('four models are called', () => calls('opinions').length === 4);
      const second = await fleet.add('worker');
      await second.ready();
      expect(await answersOf(body.report_id, 'opinions')).toBe(0);

      first.kill('SIGTERM');
      release();
      expect(await first.ended()).toEqual({ code: 0, signal: null });
      expect(await answersOf(body.report_id, 'opinions')).toBe(4);
      expect(calls('opinions').map(({ aborted }) => aborted)).toEqual([false, false, false, false]);

      expect(await caller.untilEnded(body.report_id)).toMatchObject({
        status: 'completed',
        council_config: { runtime: { degraded: false } },
      });
      // One call for each answer: none lost, none paid for twice.
      expect(fleet.simulator.calls).toHaveLength(4 + 4 + 1);
      expect(await repeatedCalls(fleet.database.db, fleet.simulator.calls)).toEqual([]);
      expect(await reconcile(fleet.database.db)).toEqual([]);
      expect(await second.stop()).toEqual({ code: 0, signal: null });
    },
    processTestMs,
  );

  test(
    'to an API that holds a request whose report ends in time: the request is answered',
    async () => {
      const { api, worker, workflowId, held, release } = await holdOnNewRun('sample-ridge-derby-2031');
      api.kill('SIGTERM');
      await until('the API refuses connections', () => refusesConnections(api));
      await withTemporal(client => client.workflow.getHandle(workflowId).cancel());
      // The drain is short: on a slow machine it may be over before the run is cancelled.
      const answer = await held;
      if (answer !== 'closed') expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } });
      expect(await api.ended()).toEqual({ code: 0, signal: null });
      worker.kill('SIGKILL');
      release();
    },
    processTestMs,
  );

  test(
    'to an API that holds a request without news: it closes the connection and exits before the request is due',
    async () => {
      const { api, worker, held, release } = await holdOnNewRun('sample-expo-host-2031');
      worker.kill('SIGKILL');
      const killedAt = Date.now();
      api.kill('SIGTERM');
      expect(await held).toBe('closed');
      expect(await api.ended()).toEqual({ code: 0, signal: null });
      expect(Date.now() - killedAt).toBeLessThan(heldForSeconds * 1_000);
      release();
    },
    processTestMs,
  );
});

/** A new API and worker, a run whose models do not answer, and a client that waits for it. */
async function holdOnNewRun(eventId: string) {
  const [api, worker] = await Promise.all([fleet.add('api', deadlines), fleet.add('worker')]);
  await Promise.all([api.ready(), worker.ready()]);
  const caller = await fleet.newCaller(api, 1_000);
  const before = fleet.simulator.calls.length;
  const release = fleet.simulator.hold({});
  const { body } = await caller.buy(eventId);
  await until('four models are called', () => fleet.simulator.calls.length === before + 4);
  const held = caller
    .get(`/api/reports/${body.report_id}`, { headers: { prefer: `wait=${heldForSeconds}` } })
    .catch(() => 'closed' as const);
  // This response proves that the API has read the held request, which was sent before it.
  await fetch(`${api.url}/healthz`);
  const { workflow_id: workflowId } = await fleet.database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', '=', body.report_id)
    .executeTakeFirstOrThrow();
  return { api, worker, workflowId, held, release };
}

function refusesConnections(api: ServiceProcess): Promise<boolean> {
  return fetch(`${api.url}/healthz`).then(
    () => false,
    () => true,
  );
}

async function withTemporal(use: (client: Client) => Promise<unknown>): Promise<void> {
  const connection = await Connection.connect({ address: fleet.temporalAddress });
  await use(new Client({ connection }));
  await connection.close();
}
