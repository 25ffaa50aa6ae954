import { expect, test } from '@jest/globals';
import { gatherEvidence } from '../../../activities/report/gather-evidence.js';
import { evidenceRules } from '../../../council/evidence/assemble-evidence.js';
import type { Research } from '../../../council/evidence/research.js';
import { readRun, saveStageResult } from '../../../db/reports/run.js';
import { answeredCall, openRuns } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const { processing } = openRuns(world);

async function searchedRun() {
  const { reportId } = await processing();
  for (const model of ['claude', 'grok'] as const) {
    const text = `The ${model === 'claude' ? 'first' : 'second'} fact has a page.`;
    const citation = { start: 0, end: text.length, marks: 'statement', title: null, pageAge: null } as const;
    const answer: Research = {
      text,
      citations: [{ ...citation, url: `https://example.org/${model}` }],
      searches: 1,
      retrievedAt: noon.toISOString(),
    };
    const call = answeredCall(reportId, { stage: 'research', model });
    await saveStageResult(world.db, { call, answer, latencyMs: 5, now: noon });
  }
  return reportId;
}

const evidenceOf = async (reportId: number) => (await readRun(world.db, reportId)).evidence;

test('a search counts only if its member searched in time: a later one is stored, and in no pack', async () => {
  const reportId = await searchedRun();
  const failed = [{ model: 'grok', kind: 'timed_out', waitedSeconds: 3 }] as const;
  expect(await gatherEvidence(world.db, { reportId, searched: ['claude'], failed })).toEqual({ items: 1 });
  expect(await evidenceOf(reportId)).toMatchObject({
    rules: evidenceRules,
    evidence: { status: 'partial', searches: 1, items: [{ text: 'The first fact has a page.' }] },
  });
});

test('evidence is stored once: neither a second attempt nor a statement replaces it', async () => {
  const reportId = await searchedRun();
  expect(await evidenceOf(reportId)).toBeNull();
  await gatherEvidence(world.db, { reportId, searched: ['claude'], failed: [] });
  const first = await evidenceOf(reportId);
  await gatherEvidence(world.db, { reportId, searched: [], failed: [] });
  expect(await evidenceOf(reportId)).toEqual(first);
  const rewrite = world.sql(`update reports set evidence = '{}' where id = $1`, [reportId]);
  await expect(rewrite).rejects.toThrow('frozen');
});
