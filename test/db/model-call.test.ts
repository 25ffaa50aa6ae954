import { expect, test } from '@jest/globals';
import type { Stage } from '../../council/deliberation.js';
import type { CouncilModel } from '../../council/models.js';
import { openModelCall } from '../../db/model-call.js';
import { keepStageResult } from '../../db/run.js';
import { opinion } from '../council/fixtures.js';
import { openRuns } from './support/open-runs.js';
import { answeredCall } from './support/purchases.js';
import { noon, useTestWorld } from './support/test-world.js';

const world = useTestWorld();

const { pending, processing, failed } = openRuns(world);

const open = async (reportId: number, stage: Stage, model: CouncilModel, of = 4) =>
  openModelCall(world.db, { reportId, stage, model, of });

const stageOf = async (reportId: number) =>
  (await world.sql('select stage, stage_of from reports where id = $1', [reportId]))[0];

test('where a run is, is only said of one that is being processed', async () => {
  const [waiting, running, over] = [await pending(), await processing(), await failed()];
  for (const { reportId } of [waiting, running, over]) await open(reportId, 'cross_review', 'gpt', 3);
  expect(await stageOf(running.reportId)).toEqual({ stage: 'cross_review', stage_of: 3 });
  expect(await stageOf(waiting.reportId)).toEqual({ stage: null, stage_of: null });
  expect(await stageOf(over.reportId)).toEqual({ stage: null, stage_of: null });
});

test('a late call of an earlier stage does not put the run back', async () => {
  const { reportId } = await processing();
  await open(reportId, 'synthesis', 'gpt', 1);
  await open(reportId, 'cross_review', 'claude');
  expect(await stageOf(reportId)).toEqual({ stage: 'synthesis', stage_of: 1 });
});

test("a call hears of its own answer, and takes nobody else's and no other stage's for it", async () => {
  const { reportId } = await processing();
  const call = answeredCall(reportId, { stage: 'opinions' });
  const answer = opinion({ Yes: 60, No: 40 }, { rationale: 'first' });
  await keepStageResult(world.db, { call, answer, attempts: 1, latencyMs: 5, now: noon });
  const other = call.model === 'grok' ? 'claude' : 'grok';
  expect((await open(reportId, 'opinions', call.model)).isAnswered).toBe(true);
  expect((await open(reportId, 'opinions', other)).isAnswered).toBe(false);
  const review = await open(reportId, 'cross_review', call.model);
  expect(review.isAnswered).toBe(false);
  expect(review.deliberation.opinions).toEqual([
    { model: call.model, modelId: call.modelId, answer, attempts: 1, latencyMs: 5 },
  ]);
});
