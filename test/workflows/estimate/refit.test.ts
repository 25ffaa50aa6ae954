import { expect, test } from '@jest/globals';
import { firstWeights, shippedWeights } from '../../../council/estimate/first-weights.js';
import {
  activateWeights,
  findWeights,
  readCurrentWeights,
  storeWeights,
} from '../../../db/estimate/weights.js';
import type { refit } from '../../../workflows/refit.js';
import { plantedSets } from '../../record/learning/planted-sets.js';
import { plantResolved } from '../../support/record/plant-resolved.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

/** What the planted outcomes are drawn from. */
const truth = { market: 0.3, council: 1, council_by_dispersion: 0 };
const opposite = { market: 1, council: -1, council_by_dispersion: 0 };

const service = await useTestService();
await plantResolved(service.database, plantedSets(truth, { sets: 1_000 }), { simulated: false });
const simulated = plantedSets(opposite, { sets: 300, seed: 'simulated' });
await plantResolved(service.database, simulated, { simulated: true });

const start = (day: string) =>
  service.temporal.workflow.start<typeof refit>('refit', {
    workflowId: `refit/${day}`,
    taskQueue: service.manifest.task_queue,
    args: [{ day }],
  });
const refitted = async (day: string) => (await start(day)).result();
const query = async (statement: string) => (await service.database.pool.query(statement)).rows;
const activations = () => query('select weights_id, cause from weights_activations order by id');
const currentId = async () => (await readCurrentWeights(service.database.db)).weights.id;

test('a refit freezes a challenger, which is not in force', async () => {
  expect(await refitted('2031-01-08')).toEqual({
    id: 'refit-2031-01-08',
    incumbentId: shippedWeights.id,
    weightsId: 'refit-2031-01-08',
    activated: false,
    evidence: { eValue: 1, events: 0 },
    reason: expect.stringContaining(`not yet better than ${shippedWeights.id}`),
  });
  expect(await currentId()).toBe(shippedWeights.id);
});

test('a refit that loses its worker in the middle goes on, and activates the challenger that predicted better, once', async () => {
  const lock = await service.database.pool.connect();
  await lock.query('begin; lock table record_entries in access exclusive mode');
  const running = await start('2031-06-01');
  await until(
    'the reports are read',
    async () => (await running.describe()).raw.pendingActivities ?? [],
    pending => pending[0]?.activityType?.name === 'proposeWeights',
  );
  const stopped = service.stopWorker();
  await lock.query('rollback');
  lock.release();
  await stopped;
  expect(await query('select id from weights_refits')).toEqual([{ id: 'refit-2031-01-08' }]);
  await service.startWorker();

  expect(await running.result()).toEqual({
    id: 'refit-2031-06-01',
    incumbentId: shippedWeights.id,
    weightsId: 'refit-2031-01-08',
    activated: true,
    // One report an hour: those made after the challenger was frozen.
    evidence: { eValue: expect.any(Number), events: 1_000 - 7 * 24 - 1 },
    reason: expect.stringMatching(`^better than ${shippedWeights.id}: .* e-value of .* over 831 events`),
  });
  const { weights } = await readCurrentWeights(service.database.db);
  expect(weights.coefficients.market).toBeLessThan(shippedWeights.coefficients.market);
  expect(weights.coefficients.council).toBeGreaterThan(shippedWeights.coefficients.council);
  expect(weights).toMatchObject({ id: 'refit-2031-01-08', prior: shippedWeights.coefficients });
  // Each report is resolved a day after it was made.
  expect(weights.trained_on).toMatchObject({ events: 144, rows: 144, until: '2031-01-08T00:00:00.000Z' });
  expect(await activations()).toEqual([
    { weights_id: firstWeights.id, cause: 'first' },
    { weights_id: 'refit-2031-01-08', cause: 'refit' },
  ]);
});

test('a second refit of the same day returns what the first one did, and changes nothing', async () => {
  const before = await activations();
  expect(await refitted('2031-06-01')).toMatchObject({ id: 'refit-2031-06-01', activated: true });
  expect(await activations()).toEqual(before);
});

test('a refit against other weights in force begins without evidence, and keeps what it fits with the reason', async () => {
  const { db } = service.database;
  const now = new Date();
  await storeWeights(db, { ...shippedWeights, id: 'oracle', coefficients: truth }, now);
  await activateWeights(db, { weightsId: 'oracle', cause: 'operator', reason: 'test', now });
  expect(await refitted('2031-06-02')).toMatchObject({
    incumbentId: 'oracle',
    weightsId: 'refit-2031-06-02',
    activated: false,
    evidence: { eValue: 1, events: 0 },
    reason: expect.stringContaining('not yet better than oracle'),
  });
  expect(await currentId()).toBe('oracle');
  expect((await findWeights(db, 'refit-2031-06-02'))?.weights.prior).toEqual(truth);
});

test('a refit learns only from what was resolved before its day, and says when that is too little', async () => {
  const none = { weightsId: null, activated: false, reason: expect.stringContaining('too few events') };
  expect(await refitted('2031-01-02')).toMatchObject(none);
  const today = await runRound(service, 'refit-weights');
  expect(today).toMatchObject({ ...none, incumbentId: 'oracle' });
  expect(await runRound(service, 'refit-weights')).toEqual(today);
});

test('a report is concluded with the weights in force, and names them with their hash', async () => {
  const caller = await service.newCaller(1_000);
  const { body } = await caller.buy('sample-fed-cut-2031');
  const report = await caller.untilEnded(body.report_id);
  const { sha256 } = await readCurrentWeights(service.database.db);
  expect(report.council_config.runtime.estimate.weights).toEqual({
    id: 'oracle',
    sha256,
    coefficients: truth,
  });
});
