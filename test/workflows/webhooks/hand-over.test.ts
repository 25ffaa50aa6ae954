import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { handOverContinually } from '../../../activities/worker/hand-over-continually.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { startTcpProxy } from '../../support/service/tcp-proxy.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { useSubscribers } from '../support/subscribers.js';

const keyRing = [{ kid: 'hooks', key: randomBytes(32) }];
const service = await useTestService({ keyRing, worker: false });
const { db } = service.database;
const { subscriber, told, deliveryOf, handleOf } = await useSubscribers(service, keyRing);

const proxy = await startTcpProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
const connection = Connection.lazy({ address: proxy.address });
afterAll(async () => {
  await connection.close();
  await proxy.cut();
});

test('while Temporal is away deliveries wait, and are handed over once when it is back', async () => {
  const metrics = createMetrics();
  const logged: string[] = [];
  const keep = (...said: readonly unknown[]) => void logged.push(String(said.at(-1)));
  const failures = async () => (await metrics.webhookHandOverFailures.get()).values[0]?.value ?? 0;
  const owner = await subscriber();
  await proxy.cut();
  const id = await told(owner);
  const temporal = new Client({ connection, namespace: service.manifest.namespace });
  const stops = [1, 2].map(() =>
    handOverContinually({
      db,
      temporal,
      manifest: service.manifest,
      metrics,
      log: { info: keep, error: keep },
      now: () => new Date(),
    }),
  );
  await until('an attempt has failed', async () => (await failures()) >= 1);
  await until(
    'it is given back',
    () => deliveryOf(id),
    ({ handed_over_at: at }) => at === null,
  );
  await proxy.restore();
  await until('its workflow runs', () =>
    handleOf(id)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      ),
  );
  await until(
    'it is marked',
    () => deliveryOf(id),
    ({ handed_over_at: at }) => at !== null,
  );
  // The process that failed may not be the one that handed over: it says so in its next round.
  await until('it is logged', () => logged.includes('webhook deliveries are handed over again'));
  await Promise.all(stops.map(stop => stop()));
  expect(logged).toContain('webhook deliveries could not be handed over; it is tried again');
  await handleOf(id).terminate();
});
