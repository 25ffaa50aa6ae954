import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { projectFiles } from '../../config/project-files.js';
import { insufficientCredits } from '../../council/purchase/purchase.js';
import { branches, playBranch, readHistory } from '../support/record/play-branches.js';
import { createRetoldEvents } from '../support/record/retold-events.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

/**
 * Histories of real runs, one for each way in which a run can end and each edition of its steps (`RunEdition`). Whoever
 * changes the workflow must still replay them: runs like these are in flight while a new version is rolled out.
 *
 * `CAPTURE_HISTORIES=numbered npx jest test/workflows/replay` writes those of the edition that new runs are stamped with.
 */
const folder = 'test/workflows/histories';
const workflowBundle = { codePath: projectFiles.workflowBundle };
const committed = readdirSync(folder).filter(name => name.endsWith('.json'));
const capture = process.env['CAPTURE_HISTORIES'];

const replay = (history: string) => Worker.runReplayHistory({ workflowBundle }, readHistory(history));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('every committed history', () => {
  test('there is one of every ending, in every edition', () => {
    const endings = Object.keys(branches);
    expect(committed.sort()).toEqual(
      ['first', 'lean', 'numbered']
        .flatMap(edition => endings.map(ending => `${edition}-${ending}.json`))
        .sort(),
    );
  });

  test.each(committed)('%s replays on the bundle that workers run', async name => {
    await expect(replay(read(name))).resolves.toBeUndefined();
  });

  test('a run that began in one edition does not replay as one of another', async () => {
    const other = read('first-completed.json').replaceAll(
      /"data":"([A-Za-z0-9+/=]+)"/g,
      (whole, data: string) => {
        const text = Buffer.from(data, 'base64').toString();
        if (!text.startsWith('{"edition"') && !text.includes('"models":[')) return whole;
        const order = { ...JSON.parse(text), edition: 'lean' };
        return `"data":"${Buffer.from(JSON.stringify(order)).toString('base64')}"`;
      },
    );
    expect(other).not.toBe(read('first-completed.json'));
    await expect(replay(other)).rejects.toThrow(/nondetermin|TMPRL1100/i);
  });

  test.each(['askOpinion', 'freezeMarket', 'refundReport'])(
    'does not replay where %s was another step',
    async step => {
      const name = committed.find(file => read(file).includes(`"${step}"`)) ?? '';
      const other = read(name).replaceAll(`{"name":"${step}"}`, '{"name":"somethingElse"}');
      await expect(replay(other)).rejects.toThrow(/nondetermin|TMPRL1100/i);
    },
  );

  test.each(committed)('%s tells nothing of the machine it was made on', name => {
    expect(read(name)).not.toMatch(/\/(work|home|root|tmp|Users)\//);
    expect(read(name)).not.toMatch(/pc_live_|@example/);
  });
});

describe('a run of today', () => {
  const markets = createRetoldEvents();
  const broke = new Set<string>();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      markets,
      around: real => ({
        ...real,
        purchaseReport: async wish =>
          broke.has(wish.request.accountId) ? insufficientCredits(100, 0) : real.purchaseReport(wish),
      }),
    });
  });
  afterAll(() => service.stop());

  test.each(Object.keys(branches))('that ends as %s replays', async branch => {
    const caller = await service.newCaller(500);
    const eventId = markets.retell('sample-fed-cut-2031');
    const history = await playBranch({ service, caller, refuse: id => broke.add(id), eventId }, branch);
    service.simulator.clearFaults();
    if (capture !== undefined) writeFileSync(join(folder, `${capture}-${branch}.json`), `${history}\n`);
    await expect(replay(history)).resolves.toBeUndefined();
  });
});
