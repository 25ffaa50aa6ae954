import { describe, expect, test } from '@jest/globals';
import { reconcile } from '../db/support/reconcile.js';
import { repeatedCalls } from '../support/repeated-calls.js';
import { useFleet } from '../support/service/fleet.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import { processTestMs, until } from '../support/until.js';

/** Models answer only when a test lets them; no stage may run out of time before. They do not search. */
const deadlines = { STAGE_DEADLINES_MS: '600000,600000,600000', EVIDENCE: 'off' };
/** How long a client asks the API to hold its request. A drain does not wait for this. */
const heldForSeconds = 50;

const fleet = await useFleet();
/** The API of all tests, and the worker that is left when the other has ended. */
let api: ServiceProcess;
let second: ServiceProcess;

const opinions = () => fleet.simulator.calls.filter(({ stage }) => stage === 'opinions');

async function opinionsOf(reportId: number): Promise<number> {
  const { db } = fleet.database;
  const kept = await db
    .selectFrom('stage_results')
    .select('model')
    .where('report_id', '=', reportId)
    .where('stage', '=', 'opinions')
    .execute();
  return kept.length;
}

describe('SIGTERM', () => {
  test(
    'to a worker with four calls in progress: it finishes and stores them, and another worker continues the run',
    async () => {
      const first = await fleet.add('worker');
      api = await fleet.add('api', deadlines);
      await Promise.all([api.ready(), first.ready()]);
      const caller = await fleet.newCaller(api, 1_000);
      const release = fleet.simulator.hold({});
      const { body } = await caller.buy('sample-fed-cut-2031');
      await until('four models are called', () => opinions().length === 4);
      second = await fleet.add('worker');
      await second.ready();
      expect(await opinionsOf(body.report_id)).toBe(0);

      first.kill('SIGTERM');
      release();
      expect(await first.ended()).toEqual({ code: 0, signal: null });
      expect(await opinionsOf(body.report_id)).toBe(4);
      expect(opinions().map(({ aborted }) => aborted)).toEqual([false, false, false, false]);

      expect(await caller.untilEnded(body.report_id)).toMatchObject({
        status: 'completed',
        council_config: { runtime: { degraded: false } },
      });
      // One call for each answer: none lost, none paid for twice.
      expect(fleet.simulator.calls).toHaveLength(4 + 4 + 1);
      expect(await repeatedCalls(fleet.database.db, fleet.simulator.calls)).toEqual([]);
      expect(await reconcile(fleet.database.db)).toEqual([]);
    },
    processTestMs,
  );

  test(
    'to an API that holds requests: it answers the one whose report ends in time, and closes the one without news',
    async () => {
      const release = fleet.simulator.hold({});
      const [ending, silent] = [
        await holdOnNewRun('sample-ridge-derby-2031'),
        await holdOnNewRun('sample-expo-host-2031'),
      ];
      const killedAt = Date.now();
      api.kill('SIGTERM');
      await until('the API refuses connections', refusesConnections);
      await fleet.temporal.workflow.getHandle(ending.workflowId).cancel();
      // The drain is short: on a slow machine it may be over before the run is cancelled.
      const answer = await ending.held;
      if (answer !== 'closed') expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } });
      expect(await silent.held).toBe('closed');
      expect(await api.ended()).toEqual({ code: 0, signal: null });
      expect(Date.now() - killedAt).toBeLessThan(heldForSeconds * 1_000);
      release();
      expect(await second.stop()).toEqual({ code: 0, signal: null });
    },
    processTestMs,
  );
});

/** A run whose models do not answer, and a client that waits for it. */
async function holdOnNewRun(eventId: string) {
  const caller = await fleet.newCaller(api, 1_000);
  const before = fleet.simulator.calls.length;
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
  return { workflowId, held };
}

function refusesConnections(): Promise<boolean> {
  return fetch(`${api.url}/healthz`).then(
    () => false,
    () => true,
  );
}
