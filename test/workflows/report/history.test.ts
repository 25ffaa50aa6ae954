import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { councilModels } from '../../../council/models.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { type History, readableHistory } from '../../support/expect/readable-history.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const historyBytesMax = 64 * 1024;
/**
 * Each of the 14 activities adds three events, each of the 13 workflow tasks three more. The conclusion, a local
 * activity, adds one; the start, the purchase, the search attributes and the end add five. That is 87; the searches, which
 * end together, may still be reported in two tasks.
 */
const eventsMax = 90;
const payloadBytesMax = 8 * 1024;

let service: TestService;
let history: History;
let secrets: string[];
let texts: string[];
let title: string;
let reportId: number;

beforeAll(async () => {
  service = await startTestService({ researchDeadlineMs: 8_000 });
  service.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 401 });
  const caller = await service.newCaller(500);
  const { body } = await caller.buy('sample-song-contest-2031');
  const report = await caller.untilEnded(body.report_id);
  const handle = service.temporal.workflow.getHandle(
    `report/${caller.accountId}/sample-song-contest-2031/${new Date().toISOString().slice(0, 10)}`,
  );
  // The caller learns of the end before the run has closed.
  await handle.result();
  history = await handle.fetchHistory();
  secrets = [caller.key, caller.email, caller.session, 'test-provider-key'];
  title = report.event_title;
  reportId = body.report_id;
  texts = [report.summary, report.deliberation.opinions[0].rationale];
});

afterAll(() => service.stop());

test('a history has the most events when no two members answer together', async () => {
  service.simulator.clearFaults();
  for (const [index, model] of councilModels.entries())
    service.simulator.setFault({ model }, { kind: 'latency', ms: 400 * (index + 1) });
  const caller = await service.newCaller(500);
  const { body } = await caller.buy('sample-fed-cut-2031');
  expect((await caller.untilEnded(body.report_id)).council_config.runtime.degraded).toBe(false);
  const handle = service.temporal.workflow.getHandle(
    `report/${caller.accountId}/sample-fed-cut-2031/${new Date().toISOString().slice(0, 10)}`,
  );
  await handle.result();
  const { events } = await handle.fetchHistory();
  expect(events?.length).toBeLessThanOrEqual(eventsMax);
});

describe('the history of a run', () => {
  test('contains no key, no email address and no text of a model', () => {
    const all = readableHistory(history);
    expect(all.includes(title)).toBe(true);
    for (const secret of [...secrets, ...texts]) expect(all.includes(secret)).toBe(false);
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
      '"conclude and store"',
    ]);
  });

  test('has the report ID as a search attribute from the start, and the final status at the end', () => {
    const events = history.events ?? [];
    const started = events[0]?.workflowExecutionStartedEventAttributes?.searchAttributes?.indexedFields;
    expect(valueOf(started?.['ReportId'])).toBe(reportId);
    expect(valueOf(started?.['ReportStatus'])).toBe('processing');
    const upserts = events.flatMap(event => {
      const fields = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
      return fields === undefined || fields === null ? [] : [fields];
    });
    expect(upserts.map(fields => valueOf(fields['ReportStatus']))).toEqual(['completed']);
    expect(valueOf(upserts[0]?.['Degraded'])).toBe(true);
  });

  test('replays on the bundle that workers run', async () => {
    const workflowBundle = { codePath: projectFiles.workflowBundle };
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
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
    const workflowBundle = { codePath: projectFiles.workflowBundle };
    await expect(Worker.runReplayHistory({ workflowBundle }, { events })).rejects.toThrow();
  });
});

/** The value of a search attribute. */
function valueOf(payload: { data?: Uint8Array | null } | undefined): unknown {
  return JSON.parse(Buffer.from(payload?.data ?? []).toString());
}
