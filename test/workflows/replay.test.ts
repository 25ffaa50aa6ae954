import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { councilModels } from '../../council/models.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { insufficientCredits } from '../../purchase/purchase.js';
import { readableHistory } from '../support/expect/readable-history.js';
import { branches, playBranch, readHistory } from '../support/record/play-branches.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { useTestService } from '../support/use-service.js';

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

const markets = createSampleEventCopies();
const withoutCredits = new Set<string>();
const quiet = await useTestService({ markets });
const searching = await useTestService({
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

describe('a new run', () => {
  test.each(Object.keys(branches))('that ends as %s replays', async branch => {
    const service = branch === 'without-research' ? quiet : searching;
    const caller = await service.newCaller(500);
    const eventId = markets.retell('sample-fed-cut-2031');
    const refuse = (id: string) => withoutCredits.add(id);
    const history = await playBranch({ service, caller, refuse, eventId }, branch);
    service.simulator.clearFaults();
    if (capture !== undefined) writeFileSync(join(folder, `${branch}.json`), `${history}\n`, { flag: 'wx' });
    await expect(replay(history)).resolves.toBeUndefined();
  });
});

const historyBytesMax = 64 * 1024;
/**
 * Each of the 14 activities adds three events, each of the 12 workflow tasks three more. Evidence and conclusion, local
 * activities, add one each; the start, the purchase, the search attributes and the end add five. That is 85. The searches,
 * and the two calls of the last stage, end together, and the server may still report each in a task of its own.
 */
const eventsMax = 85 + 3 * (2 + 1);
const payloadBytesMax = 8 * 1024;

searching.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 401 });
const { caller, report, history } = await endedRun();
searching.simulator.clearFaults();

/** A report, and the history of its run when that has closed, which callers do not wait for. */
async function endedRun() {
  const caller = await searching.newCaller(500);
  const eventId = markets.retell('sample-song-contest-2031');
  const report = await caller.run(eventId);
  const run = searching.temporal.workflow.getHandle(caller.workflowId(eventId));
  await run.result();
  return { caller, report, history: await run.fetchHistory() };
}

describe('the history of a run', () => {
  test('contains no key, no email address and no text of a model', () => {
    const all = readableHistory(history);
    expect(all.includes(report.event_title)).toBe(true);
    const { key, email, session } = caller;
    const texts = [report.summary, report.deliberation.opinions[0].rationale];
    for (const secret of [key, email, session, 'test-provider-key', ...texts])
      expect(all.includes(secret)).toBe(false);
  });

  test('has the most events when no two members answer together', async () => {
    for (const [index, model] of councilModels.entries())
      searching.simulator.setFault({ model }, { kind: 'latency', ms: 400 * (index + 1) });
    const slow = await endedRun();
    searching.simulator.clearFaults();
    expect(slow.report.council_config.runtime.degraded).toBe(false);
    expect(slow.history.events?.length).toBeLessThanOrEqual(eventsMax);
  });

  test('stays small', () => {
    const sizes = (history.events ?? []).map(event => readableHistory({ events: [event] }).length);
    expect(Math.max(...sizes)).toBeLessThan(payloadBytesMax);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(historyBytesMax);
    expect(sizes.length).toBeLessThanOrEqual(eventsMax);
  });

  test('has a summary for each activity', () => {
    const summaries = (history.events ?? [])
      .filter(event => event.activityTaskScheduledEventAttributes ?? event.markerRecordedEventAttributes)
      .map(event => Buffer.from(event.userMetadata?.summary?.data ?? []).toString());
    expect(summaries).toEqual([
      '"purchase"',
      ...['claude', 'gpt', 'grok'].map(model => `"research · ${model}"`),
      '"gather the evidence"',
      ...['claude', 'gpt', 'gemini', 'grok'].map(model => `"opinions · ${model}"`),
      ...['claude', 'gpt', 'gemini'].map(model => `"cross-review · ${model}"`),
      '"synthesis · claude"',
      '"market-gap · gpt"',
      '"conclude and store"',
    ]);
  });

  test('has the report ID as a search attribute from the start, and the final status at the end', () => {
    const events = history.events ?? [];
    const started = events[0]?.workflowExecutionStartedEventAttributes?.searchAttributes?.indexedFields;
    expect(valueOf(started?.['ReportId'])).toBe(report.id);
    expect(valueOf(started?.['ReportStatus'])).toBe('processing');
    const upserts = events.flatMap(event => {
      const fields = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
      return fields === undefined || fields === null ? [] : [fields];
    });
    expect(upserts.map(fields => valueOf(fields['ReportStatus']))).toEqual(['completed']);
    expect(valueOf(upserts[0]?.['Degraded'])).toBe(true);
  });

  test('does not replay when two of its steps are swapped', async () => {
    const events = (history.events ?? []).map(event => {
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (!scheduled?.activityType) return event;
      const swapped: Record<string, string> = { askOpinion: 'askReview', askReview: 'askOpinion' };
      const name = scheduled.activityType.name ?? '';
      return {
        ...event,
        activityTaskScheduledEventAttributes: { ...scheduled, activityType: { name: swapped[name] ?? name } },
      };
    });
    await expect(Worker.runReplayHistory({ workflowBundle }, { events })).rejects.toThrow();
  });
});

/** The value of a search attribute. */
function valueOf(payload: { data?: Uint8Array | null } | undefined): unknown {
  return JSON.parse(Buffer.from(payload?.data ?? []).toString());
}
