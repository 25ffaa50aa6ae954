import { expect, test } from '@jest/globals';
import { sealContinually } from '../../../activities/worker/seal-continually.js';
import { connect } from '../../../db/database.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { sell } from '../../db/support/purchases.js';
import { useTestWorld } from '../../db/support/test-world.js';
import { until } from '../../support/until.js';

const world = useTestWorld();

/** Seals, and keeps what is logged. */
function sealing(db = world.db) {
  const logged: string[] = [];
  const metrics = createMetrics();
  const keep = (...said: readonly unknown[]) => void logged.push(String(said.at(-1)));
  const stop = sealContinually({ db, metrics, log: { error: keep, info: keep } });
  const failures = async () => (await metrics.recordSealFailures.get()).values[0]?.value ?? 0;
  return { stop, logged, failures };
}

const unsealed = async () => (await world.sql('select from unsealed_entries')).length;

test('a sale is sealed without being read, until the worker stops', async () => {
  const { stop, logged } = sealing();
  await sell(world);
  await until('it is sealed', async () => (await unsealed()) === 0);
  await stop();
  await sell(world);
  expect(await unsealed()).toBe(1);
  expect(logged).toEqual([]);
});

test('failures are counted, logged once, and end by themselves', async () => {
  const { db, close } = connect(world.url, () => undefined, { lockWaitMaxMs: 50 });
  const { stop, logged, failures } = sealing(db);
  await world.together(async blocker => {
    await blocker.query('lock table record_entries in access exclusive mode');
    await until('two attempts have failed', async () => (await failures()) >= 2);
  });
  await until('it is sealed', async () => (await unsealed()) === 0);
  await stop();
  await close();
  expect(logged).toEqual([
    'the record could not be sealed; it is tried again every second',
    'the record is sealed again',
  ]);
});
