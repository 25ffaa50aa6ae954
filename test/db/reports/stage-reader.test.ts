import { expect, test } from '@jest/globals';
import { createStageReader } from '../../../activities/report/stage-reader.js';
import { hasAnswered } from '../../../db/reports/deliberation.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { opinion } from '../../council/fixtures.js';
import { answeredCall, openRuns } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const { pending, processing } = openRuns(world);

const at = (reportId: number) => ({ reportId, stage: 'opinions', of: 4 }) as const;

test('concurrent calls of one stage share one read; other runs and stages do not', async () => {
  const [mine, other] = [await processing(), await processing()];
  const readStage = createStageReader(world.db);
  const [first, second, elsewhere, later] = await Promise.all([
    readStage(at(mine.reportId)),
    readStage(at(mine.reportId)),
    readStage(at(other.reportId)),
    readStage({ ...at(mine.reportId), stage: 'cross_review' }),
  ]);
  expect(second).toBe(first);
  expect(elsewhere.run.eventId).not.toBe(first.run.eventId);
  expect(later).not.toBe(first);
});

test('a later call sees what was stored since the last read', async () => {
  const { reportId } = await processing();
  const readStage = createStageReader(world.db);
  const call = answeredCall(reportId, { stage: 'opinions' });
  const isAnswered = async () =>
    hasAnswered((await readStage(at(reportId))).run.deliberation, 'opinions', call.model);
  expect(await isAnswered()).toBe(false);
  const answer = opinion({ Yes: 60, No: 40 });
  await saveStageResult(world.db, { call, answer, latencyMs: 5, now: noon });
  expect(await isAnswered()).toBe(true);
});

test('a failed read fails for all callers that share it, and the next call reads again', async () => {
  const { reportId } = await pending();
  const readStage = createStageReader(world.db);
  const both = await Promise.allSettled([readStage(at(reportId)), readStage(at(reportId))]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(readStage(at(reportId))).rejects.toThrow('no market snapshot');
});
