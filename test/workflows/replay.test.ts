import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { projectFiles } from '../../platform/settings/project-files.js';
import { insufficientCredits } from '../../purchase/purchase.js';
import { branches, playBranch, readHistory } from '../support/record/play-branches.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

/**
 * Histories of real runs of a release, one for each way in which a run can end. A changed workflow must still replay
 * them: such runs are in progress while a new version is deployed, unless each build has its own workers.
 *
 * A release records those of its version: `CAPTURE_HISTORIES=1 npm run test:one -- test/workflows/replay`. None is ever
 * replaced.
 */
const folder = 'test/workflows/histories/1.0.0';
const workflowBundle = { codePath: projectFiles.workflowBundle };
const committed = readdirSync(folder).filter(name => name.endsWith('.json'));
const capture = process.env['CAPTURE_HISTORIES'];

const replay = (history: string) => Worker.runReplayHistory({ workflowBundle }, readHistory(history));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('every committed history', () => {
  test('exists for every ending', () => {
    expect(committed.sort()).toEqual(
      Object.keys(branches)
        .map(ending => `${ending}.json`)
        .sort(),
    );
  });

  test.each(committed)('%s replays on the bundle that workers run', async name => {
    await expect(replay(read(name))).resolves.toBeUndefined();
  });

  test.each(['askOpinion', 'refundReport'])('does not replay when %s is another activity', async step => {
    const name = committed.find(file => read(file).includes(`"${step}"`)) ?? '';
    const other = read(name).replaceAll(`{"name":"${step}"}`, '{"name":"somethingElse"}');
    await expect(replay(other)).rejects.toThrow(/nondetermin|TMPRL1100/i);
  });

  test.each(committed)('%s contains no path, key or address of the machine that recorded it', name => {
    expect(read(name)).not.toMatch(/\/(work|home|root|tmp|Users)\//);
    expect(read(name)).not.toMatch(/pc_live_|@example/);
  });
});

describe('a new run', () => {
  const markets = createSampleEventCopies();
  const withoutCredits = new Set<string>();
  let searching: TestService;
  let quiet: TestService;
  beforeAll(async () => {
    quiet = await startTestService({ markets });
    searching = await startTestService({
      markets,
      researchDeadlineMs: 8_000,
      around: real => ({
        ...real,
        purchaseReport: async input => {
          const { accountId } = input.request;
          return withoutCredits.has(accountId) ? insufficientCredits(100, 0, 0) : real.purchaseReport(input);
        },
      }),
    });
  });
  afterAll(() => Promise.all([searching.stop(), quiet.stop()]));

  test.each(Object.keys(branches))('that ends as %s replays', async branch => {
    const service = branch === 'without-research' ? quiet : searching;
    const caller = await service.newCaller(500);
    const eventId = markets.retell('sample-fed-cut-2031');
    const history = await playBranch(
      {
        service,
        caller,
        refuse: id => withoutCredits.add(id),
        eventId,
      },
      branch,
    );
    service.simulator.clearFaults();
    if (capture !== undefined) writeFileSync(join(folder, `${branch}.json`), `${history}\n`, { flag: 'wx' });
    await expect(replay(history)).resolves.toBeUndefined();
  });
});
