import { expect, test } from '@jest/globals';
import type { Stage } from '../../../council/deliberation/stages.js';
import { hasAnswered } from '../../../db/reports/deliberation.js';
import { openStage } from '../../../db/reports/open-stage.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { opinion } from '../../council/fixtures.js';
import { answeredCall, openRuns } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const { pending, processing, failed } = openRuns(world);

const open = async (reportId: number, stage: Stage, of = 4) => openStage(world.db, { reportId, stage, of });

const stageOf = async (reportId: number) =>
  (await world.sql('select stage, stage_of from reports where id = $1', [reportId]))[0];

test('only a processing run records its stage', async () => {
  const [waiting, running, over] = [await pending(), await processing(), await failed()];
  for (const { reportId } of [waiting, running, over]) await open(reportId, 'cross_review', 3);
  expect(await stageOf(running.reportId)).toEqual({ stage: 'cross_review', stage_of: 3 });
  expect(await stageOf(waiting.reportId)).toEqual({ stage: null, stage_of: null });
  expect(await stageOf(over.reportId)).toEqual({ stage: null, stage_of: null });
});

test('a late call of an earlier stage does not move the run back', async () => {
  const { reportId } = await processing();
  await open(reportId, 'synthesis', 1);
  await open(reportId, 'cross_review');
  expect(await stageOf(reportId)).toEqual({ stage: 'synthesis', stage_of: 1 });
});

test('a call finds its own stored answer, and not that of another model or stage', async () => {
  const { reportId } = await processing();
  const call = answeredCall(reportId, { stage: 'opinions' });
  const answer = opinion({ Yes: 60, No: 40 }, { rationale: 'first' });
  await saveStageResult(world.db, { call, answer, latencyMs: 5, now: noon });
  const other = call.model === 'grok' ? 'claude' : 'grok';
  const { deliberation } = await open(reportId, 'opinions');
  expect(hasAnswered(deliberation, 'opinions', call.model)).toBe(true);
  expect(hasAnswered(deliberation, 'opinions', other)).toBe(false);
  expect(hasAnswered(deliberation, 'cross_review', call.model)).toBe(false);
  expect((await open(reportId, 'cross_review')).deliberation.opinions).toEqual([
    { model: call.model, modelId: call.modelId, answer, attempts: 1, latencyMs: 5 },
  ]);
});
