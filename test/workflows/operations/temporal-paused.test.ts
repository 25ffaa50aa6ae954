import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { NativeConnection } from '@temporalio/worker';
import { findTemporal } from '../../../platform/embedded/temporal/find-temporal.js';
import { type EmbeddedTemporal, startTemporal } from '../../../platform/embedded/temporal/start-temporal.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { applySearchAttributes } from '../../../platform/temporal/apply-namespace.js';
import { readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { modelCall } from '../../../workflows/activity-options.js';
import { longDeadlines, startTestService, type TestService } from '../../support/service/test-service.js';
import { processTestMs, until } from '../../support/until.js';

/** A server that stands still and goes on, as in a failover or when its machine is paused. */
const heartbeatTimeoutMs = msToNumber(modelCall(0).heartbeatTimeout);
const log = () => undefined;
let home: string;
let temporal: EmbeddedTemporal;
let service: TestService;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'council-paused-'));
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const { namespace, embedded_server } = manifest;
  const binary = await findTemporal({ env: process.env, log });
  const { flags } = embedded_server;
  temporal = await startTemporal({ binary, home, namespace, port: 0, uiPort: 0, flags, log });
  const connection = await NativeConnection.connect({ address: temporal.address });
  await applySearchAttributes({ connection, namespace, manifest });
  await connection.close();
  service = await startTestService({
    temporalAddress: temporal.address,
    isEmbedded: true,
    stageDeadlinesMs: longDeadlines,
    researchDeadlineMs: longDeadlines.opinions,
  });
}, processTestMs);

afterAll(async () => {
  await service.stop();
  await temporal.stop();
  await rm(home, { recursive: true, force: true });
}, processTestMs);

/** @returns when it went on */
async function stop(forMs: number): Promise<number> {
  const endsAt = Date.now() + forMs;
  process.kill(temporal.pid, 'SIGSTOP');
  try {
    await until('the server has stood still', () => Date.now() > endsAt);
  } finally {
    process.kill(temporal.pid, 'SIGCONT');
  }
  return Date.now();
}

/** Whether the server has given up every attempt, or has heard of it again. */
async function knowsOfCalls(sinceMs: number): Promise<boolean> {
  for await (const { workflowId, runId } of service.temporal.workflow.list()) {
    const { raw } = await service.temporal.workflow.getHandle(workflowId, runId).describe();
    for (const { attempt, lastHeartbeatTime } of raw.pendingActivities ?? []) {
      const heardAtMs = Number(lastHeartbeatTime?.seconds ?? 0) * 1_000;
      if ((attempt ?? 1) === 1 && heardAtMs < sinceMs) return false;
    }
  }
  return true;
}

test(
  'Temporal stands still longer than it waits for heartbeats, in a search and in opinions: each answer is bought once, and used',
  async () => {
    const opinions = await heldAt('opinions', 'sample-oil-ladder-2031');
    const research = await heldAt('research', 'sample-song-contest-2031');
    const goesOnAt = await stop(heartbeatTimeoutMs + 2_000);
    await until('the server knows of every call', () => knowsOfCalls(goesOnAt));
    opinions.release();
    research.release();
    for (const run of [opinions, research]) {
      expect(await run.caller.untilEnded(run.reportId)).toMatchObject({
        status: 'completed',
        council_config: { runtime: { degraded: false } },
      });
      const rows = await service.database.db
        .selectFrom('provider_calls')
        .select(['outcome', 'used'])
        .where('report_id', '=', run.reportId)
        .execute();
      expect(rows).toEqual(Array.from({ length: callsOfRun }, () => ({ outcome: 'answered', used: true })));
    }
    expect(service.simulator.calls).toHaveLength(2 * callsOfRun);
    expect(service.simulator.calls.filter(({ aborted }) => aborted)).toEqual([]);
  },
  processTestMs,
);

/** Searches, opinions, reviews, and the two beside each other at the end. */
const callsOfRun = 3 + 4 + 4 + 2;

/** A new run that waits for the answers of a stage. */
async function heldAt(stage: 'research' | 'opinions', eventId: string) {
  const { simulator } = service;
  const before = simulator.calls.length;
  const release = simulator.hold({ stage });
  const caller = await service.newCaller(500);
  const { body } = await caller.buy(eventId);
  const asked = () => simulator.calls.slice(before).filter(call => call.stage === stage).length;
  await until('the members are asked', () => asked() === { research: 3, opinions: 4 }[stage]);
  return { caller, reportId: Number(body.report_id), release };
}
