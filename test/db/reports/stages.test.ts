import { describe, expect, test } from '@jest/globals';
import { gatherEvidence } from '../../../activities/report/gather-evidence.js';
import { createStageReader } from '../../../activities/report/stage-reader.js';
import type { Stage } from '../../../council/deliberation/stages.js';
import { evidenceRules } from '../../../council/evidence/assemble-evidence.js';
import type { Research } from '../../../council/evidence/research.js';
import { hasAnswered } from '../../../db/reports/deliberation.js';
import { openStage } from '../../../db/reports/open-stage.js';
import { readRun, saveStageResult } from '../../../db/reports/run.js';
import { opinion } from '../../council/fixtures.js';
import { answeredCall, openRuns } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const { pending, processing, failed } = openRuns(world);

const answer = opinion({ Yes: 60, No: 40 }, { rationale: 'first' });
const answerOf = async (reportId: number) => {
  const call = answeredCall(reportId, { stage: 'opinions' });
  await saveStageResult(world.db, { call, answer, latencyMs: 5, now: noon });
  return call;
};

describe('the stage of a run', () => {
  const open = (reportId: number, stage: Stage, of = 4) => openStage(world.db, { reportId, stage, of });
  const stageOf = async (reportId: number) =>
    (await world.sql('select stage, stage_of from reports where id = $1', [reportId]))[0];

  test('is recorded of a processing run only', async () => {
    const [waiting, running, over] = [await pending(), await processing(), await failed()];
    for (const { reportId } of [waiting, running, over]) await open(reportId, 'cross_review', 3);
    expect(await stageOf(running.reportId)).toEqual({ stage: 'cross_review', stage_of: 3 });
    expect(await stageOf(waiting.reportId)).toEqual({ stage: null, stage_of: null });
    expect(await stageOf(over.reportId)).toEqual({ stage: null, stage_of: null });
  });

  test('does not move back by a late call of an earlier stage', async () => {
    const { reportId } = await processing();
    await open(reportId, 'synthesis', 1);
    await open(reportId, 'cross_review');
    expect(await stageOf(reportId)).toEqual({ stage: 'synthesis', stage_of: 1 });
  });

  test('comes with the stored answer of a call, and not with that of another model or stage', async () => {
    const { reportId } = await processing();
    const call = await answerOf(reportId);
    const other = call.model === 'grok' ? 'claude' : 'grok';
    const { deliberation } = await open(reportId, 'opinions');
    expect(hasAnswered(deliberation, 'opinions', call.model)).toBe(true);
    expect(hasAnswered(deliberation, 'opinions', other)).toBe(false);
    expect(hasAnswered(deliberation, 'cross_review', call.model)).toBe(false);
    expect((await open(reportId, 'cross_review')).deliberation.opinions).toEqual([
      { model: call.model, modelId: call.modelId, answer, attempts: 1, latencyMs: 5 },
    ]);
  });
});

describe('calls that read their stage', () => {
  const at = (reportId: number) => ({ reportId, stage: 'opinions', of: 4 }) as const;

  test('at once share one read; other runs and stages do not', async () => {
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

  test('later see what was stored since the last read', async () => {
    const { reportId } = await processing();
    const readStage = createStageReader(world.db);
    const isAnswered = async () =>
      hasAnswered((await readStage(at(reportId))).run.deliberation, 'opinions', 'claude');
    expect(await isAnswered()).toBe(false);
    await answerOf(reportId);
    expect(await isAnswered()).toBe(true);
  });

  test('all fail with the read that they share, and the next call reads again', async () => {
    const { reportId } = await pending();
    const readStage = createStageReader(world.db);
    const both = await Promise.allSettled([readStage(at(reportId)), readStage(at(reportId))]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(readStage(at(reportId))).rejects.toThrow('no market snapshot');
  });
});

describe('evidence', () => {
  async function searchedRun() {
    const { reportId } = await processing();
    for (const model of ['claude', 'grok'] as const) {
      const text = `The ${model === 'claude' ? 'first' : 'second'} fact has a page.`;
      const url = `https://example.org/${model}`;
      const citation = {
        start: 0,
        end: text.length,
        marks: 'statement',
        title: null,
        pageAge: null,
      } as const;
      const found: Research = {
        text,
        citations: [{ ...citation, url }],
        searches: 1,
        retrievedAt: noon.toISOString(),
      };
      const call = answeredCall(reportId, { stage: 'research', model });
      await saveStageResult(world.db, { call, answer: found, latencyMs: 5, now: noon });
    }
    return reportId;
  }

  const evidenceOf = async (reportId: number) => (await readRun(world.db, reportId)).evidence;

  test('counts a search only if its member searched in time: a later one is stored, and in no pack', async () => {
    const reportId = await searchedRun();
    const late = [{ model: 'grok', kind: 'timed_out', waitedSeconds: 3 }] as const;
    const given = { reportId, searched: ['claude'], failed: late } as const;
    expect(await gatherEvidence(world.db, given)).toEqual({ items: 1 });
    expect(await evidenceOf(reportId)).toMatchObject({
      rules: evidenceRules,
      evidence: { status: 'partial', searches: 1, items: [{ text: 'The first fact has a page.' }] },
    });
  });

  test('is stored once: neither a second attempt nor a statement replaces it', async () => {
    const reportId = await searchedRun();
    expect(await evidenceOf(reportId)).toBeNull();
    await gatherEvidence(world.db, { reportId, searched: ['claude'], failed: [] });
    const first = await evidenceOf(reportId);
    await gatherEvidence(world.db, { reportId, searched: [], failed: [] });
    expect(await evidenceOf(reportId)).toEqual(first);
    const rewrite = world.sql(`update reports set evidence = '{}' where id = $1`, [reportId]);
    await expect(rewrite).rejects.toThrow('frozen');
  });
});
