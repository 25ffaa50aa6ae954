import { afterAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { applyManifest } from '../../../platform/temporal/apply-manifest.js';
import type { TemporalManifest } from '../../../platform/temporal/manifest.js';
import { lastRound, type MaintenanceInput, pause, resume, runNow } from '../../../workflows/maintenance.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const { manifest } = await useTestService({ namespace: await ownNamespace() });
const duties = Object.keys(manifest.maintenance_every_seconds);
const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const connections = await Promise.all([1, 2, 3].map(() => NativeConnection.connect({ address })));
const connection = await Connection.connect({ address });
const client = new Client({ connection, namespace: manifest.namespace });
afterAll(() => Promise.all([...connections, connection].map(each => each.close())));

/** Applies the manifest as a worker does when it starts. @returns what was done to each duty */
async function apply(changes: Partial<TemporalManifest> = {}, worker = 0): Promise<string[]> {
  const connection = connections[worker];
  if (connection === undefined) throw new Error('there is no such worker');
  const steps = await applyManifest(connection, manifest.namespace, { ...manifest, ...changes });
  return steps.filter(({ kind }) => kind === 'maintenance').map(({ did }) => did);
}

const every = (did: string) => duties.map(() => did);
const loop = (duty: string) => client.workflow.getHandle(`maintenance/${duty}`);
const describeAll = () => Promise.all(duties.map(duty => loop(duty).describe()));

async function inputOf(duty: string): Promise<MaintenanceInput | undefined> {
  const { memo } = await loop(duty).describe();
  return memo?.['input'] as MaintenanceInput | undefined;
}

describe('the maintenance workflows of temporal.yaml', () => {
  test('are started once by several workers that start concurrently, and then left unchanged', async () => {
    await Promise.all([apply({}, 0), apply({}, 1), apply({}, 2)]);
    const before = await describeAll();
    expect(before.map(({ status, type, taskQueue }) => [status.name, type, taskQueue])).toEqual(
      duties.map(() => ['RUNNING', 'maintenance', manifest.task_queue]),
    );
    expect(await apply()).toEqual(every('unchanged'));
    expect((await describeAll()).map(({ runId }) => runId)).toEqual(before.map(({ runId }) => runId));
  });

  test('run a round when an operator requests one, and return it as the last round', async () => {
    for (const duty of duties) {
      const result = await loop(duty).executeUpdate(runNow);
      expect(result).toBeTruthy();
      expect(await loop(duty).query(lastRound)).toMatchObject({ result });
    }
  });

  test('are replaced when their settings change, and stay paused if an operator has paused them', async () => {
    await loop('send-usage').signal(pause, 'Stripe is being checked');
    await until(
      'it is paused',
      () => inputOf('send-usage'),
      input => input?.paused === 'Stripe is being checked',
    );
    expect(await apply()).toEqual(every('unchanged'));

    const faster = Object.fromEntries(duties.map(duty => [duty, 1]));
    expect(await apply({ maintenance_every_seconds: faster })).toEqual(every('updated'));
    expect(await apply({ maintenance_every_seconds: faster })).toEqual(every('unchanged'));
    expect(await inputOf('send-usage')).toMatchObject({ everySeconds: 1, paused: 'Stripe is being checked' });
  });

  test('run a round in each interval, except while they are paused', async () => {
    await until(
      'a round is run',
      () => loop('expire-grants').query(lastRound),
      last => last !== null,
    );
    expect(await loop('send-usage').query(lastRound)).toBeNull();
    await loop('send-usage').executeUpdate(runNow);
    await loop('send-usage').signal(resume);
    await until(
      'it is active',
      () => inputOf('send-usage'),
      input => input?.paused === null,
    );
    const before = await loop('send-usage').query(lastRound);
    await until(
      'a round is run',
      () => loop('send-usage').query(lastRound),
      last => last?.at !== before?.at,
    );
  });
});
