import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Stage } from '../../council/deliberation/stages.js';
import { reconcile } from '../db/support/reconcile.js';
import { askedAgain } from '../support/asked-again.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import { until } from '../support/until.js';
import { Fleet } from './fleet.js';

/** Long enough for a second worker to be started while a model thinks. */
const callMs = 8_000;
/** `api/server/serve.ts`: how long requests in flight are waited for. */
const apiDrainMs = 5_000;
/** Closing connections, on a busy machine. */
const slackMs = 4_000;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.start({ latencyMs: { min: callMs, max: callMs } });
}, 60_000);

afterAll(() => fleet.stop());

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
  test('to a worker in the middle of four calls: they are finished and stored, and another worker takes the run over', async () => {
    const [api, first] = await Promise.all([fleet.add('api'), fleet.add('worker')]);
    await Promise.all([api.ready(), first.ready()]);
    const caller = await fleet.newCaller(api, 1_000);
    const { body } = await caller.buy('sample-fed-cut-2031');
    await until('four models are asked', () => calls('opinions').length === 4);
    const second = await fleet.add('worker');
    await second.ready();
    expect(await answersOf(body.report_id, 'opinions')).toBe(0);

    first.kill('SIGTERM');
    expect(await first.ended()).toEqual({ code: 0, signal: null });
    expect(await answersOf(body.report_id, 'opinions')).toBe(4);
    expect(calls('opinions').map(({ aborted }) => aborted)).toEqual([false, false, false, false]);

    expect(await caller.untilEnded(body.report_id)).toMatchObject({
      status: 'completed',
      council_config: { runtime: { degraded: false } },
    });
    // Each was asked once, at every stage: none lost, none paid for twice.
    expect(fleet.simulator.calls).toHaveLength(4 + 4 + 1);
    expect(await askedAgain(fleet.database.db, fleet.simulator.calls)).toEqual([]);
    expect(await reconcile(fleet.database.db)).toEqual([]);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
  }, 60_000);

  test('to an API that holds a request which there is news for in time: it is answered', async () => {
    const { api, worker, workflowId, held } = await holdOnNewRun('sample-ridge-derby-2031');
    api.kill('SIGTERM');
    await until('nobody new is let in', () => isDeaf(api));
    await withTemporal(client => client.workflow.getHandle(workflowId).cancel());
    expect(await held).toMatchObject({ status: 200, body: { status: 'failed' } });
    expect(await api.ended()).toEqual({ code: 0, signal: null });
    worker.kill('SIGKILL');
  }, 60_000);

  test('to an API that holds a request which there is no news for: its connection is closed, and the process ends in time', async () => {
    const { api, worker, held } = await holdOnNewRun('sample-expo-host-2031');
    worker.kill('SIGKILL');
    const askedAt = Date.now();
    api.kill('SIGTERM');
    expect(await held).toBe('closed');
    expect(await api.ended()).toEqual({ code: 0, signal: null });
    expect(Date.now() - askedAt).toBeLessThan(apiDrainMs + slackMs);
  }, 60_000);
});

/** An API and a worker of their own, a run whose models are thinking, and a caller who waits for it. */
async function holdOnNewRun(eventId: string) {
  const [api, worker] = await Promise.all([fleet.add('api'), fleet.add('worker')]);
  await Promise.all([api.ready(), worker.ready()]);
  const caller = await fleet.newCaller(api, 1_000);
  const before = fleet.simulator.calls.length;
  const { body } = await caller.buy(eventId);
  await until('four models are asked', () => fleet.simulator.calls.length === before + 4);
  const held = caller
    .get(`/api/reports/${body.report_id}`, { headers: { prefer: 'wait=50' } })
    .catch(() => 'closed' as const);
  // It is answered after the held one was read.
  await fetch(`${api.url}/healthz`);
  const { workflow_id: workflowId } = await fleet.database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', '=', body.report_id)
    .executeTakeFirstOrThrow();
  return { api, worker, workflowId, held };
}

function isDeaf(api: ServiceProcess): Promise<boolean> {
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
