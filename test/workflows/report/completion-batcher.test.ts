import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { temporal } from '@temporalio/proto';
import { createRetoldEvents } from '../../support/record/retold-events.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const markets = createRetoldEvents();
let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService({ markets, isEmbedded: true });
  caller = await service.newCaller(5_000);
});
afterEach(() => service.simulator.clearFaults());
afterAll(() => service.stop());

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The history of a report that was just made. */
async function historyOfRun(): Promise<readonly HistoryEvent[]> {
  const { body } = await caller.buy(markets.retell('sample-fed-cut-2031'));
  const report = await caller.untilEnded(body.report_id);
  expect(report.status).toBe('completed');
  const { workflow_id } = await service.database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', '=', body.report_id)
    .executeTakeFirstOrThrow();
  const { events } = await service.temporal.workflow.getHandle(workflow_id).fetchHistory();
  return events ?? [];
}

/** Whether the run was told of one of the opinions before the last was in. */
function isToldOfOpinionsApart(events: readonly HistoryEvent[]): boolean {
  const opinions = events
    .filter(event => event.activityTaskScheduledEventAttributes?.activityType?.name === 'askOpinion')
    .map(({ eventId }) => String(eventId));
  expect(opinions).toHaveLength(4);
  const kinds = events.map(event => {
    const answered = event.activityTaskCompletedEventAttributes?.scheduledEventId;
    if (opinions.includes(String(answered))) return 'opinion';
    return event.workflowTaskCompletedEventAttributes ? 'told' : 'other';
  });
  return kinds.slice(kinds.indexOf('opinion'), kinds.lastIndexOf('opinion')).includes('told');
}

const slowly = (ms: Readonly<Record<'claude' | 'gpt' | 'gemini' | 'grok', number>>) => {
  for (const model of ['claude', 'gpt', 'gemini', 'grok'] as const) {
    service.simulator.setFault({ model }, { kind: 'latency', ms: ms[model] });
  }
};

describe('the answers of a stage', () => {
  test('go back to the run together, though they come apart', async () => {
    slowly({ claude: 0, gpt: 300, gemini: 600, grok: 900 });
    expect((await historyOfRun()).length).toBeLessThanOrEqual(60);
  });

  test('do not wait for a member who takes much longer', async () => {
    // Half a second, so that all have begun before one is done.
    slowly({ claude: 500, gpt: 500, gemini: 500, grok: 4_000 });
    expect(isToldOfOpinionsApart(await historyOfRun())).toBe(true);
  });

  test('that wait for a member who hangs are in the report', async () => {
    service.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'hang' });
    const { body } = await caller.buy(markets.retell('sample-fed-cut-2031'));
    const report = await caller.untilEnded(body.report_id);
    expect(report.dropouts).toEqual([
      expect.objectContaining({ model: 'grok', stage: 'opinions', kind: 'timed_out' }),
    ]);
  });

  test('that are in at the last moment are not lost by waiting', async () => {
    service.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'hang' });
    service.simulator.setFault({ model: 'claude', stage: 'opinions' }, { kind: 'latency', ms: 6_700 });
    const { body } = await caller.buy(markets.retell('sample-fed-cut-2031'));
    await caller.untilEnded(body.report_id);
    const opinions = await service.database.db
      .selectFrom('stage_results')
      .select('model')
      .where('report_id', '=', body.report_id)
      .where('stage', '=', 'opinions')
      .execute();
    expect(opinions.map(({ model }) => model).sort()).toEqual(['claude', 'gemini', 'gpt']);
    const ended = (await caller.get(`/api/reports/${body.report_id}`)).body;
    const lost = ended.dropouts ?? [];
    expect(lost.filter(({ stage }: any) => stage === 'opinions').map(({ model }: any) => model)).toEqual([
      'grok',
    ]);
  });
});
