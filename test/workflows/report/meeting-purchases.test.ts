import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { reportWorkflowId } from '../../../workflows/report-interface.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { freshRequest } from '../support/fresh-request.js';

const markets = createSampleEventCopies();
let service: TestService;
let answerNow: () => void;
let concluding: Promise<void>;
let concludeNow: () => void;

beforeAll(async () => {
  const mayAnswer = new Promise<void>(resolve => {
    answerNow = resolve;
  });
  let begun: () => void = () => undefined;
  concluding = new Promise(resolve => {
    begun = resolve;
  });
  const mayConclude = new Promise<void>(resolve => {
    concludeNow = resolve;
  });
  service = await startTestService({
    markets,
    worker: false,
    around: real => ({
      ...real,
      askOpinion: async call => {
        await mayAnswer;
        return real.askOpinion(call);
      },
      concludeReport: async result => {
        begun();
        await mayConclude;
        return real.concludeReport(result);
      },
    }),
  });
});
afterAll(() => service.stop());

describe('two purchases that reach one run before its first workflow task', () => {
  test('are charged once, and the run replays, even with purchases during slow opinions and a slow conclusion', async () => {
    const caller = await service.newCaller(1_000);
    const { request, event } = await freshRequest(
      service,
      caller,
      markets,
      markets.retell('sample-fed-cut-2031'),
    );
    const purchase = () => service.newPurchaser().purchase(request, event);
    const answers = Promise.all([purchase(), purchase()]);
    const run = service.temporal.workflow.getHandle(reportWorkflowId(request));
    await until('the run is started', async () => (await run.describe().catch(() => null)) !== null);
    await service.startWorker();
    const kinds = (await answers).map(answer => ('kind' in answer ? answer.kind : answer.refused));
    expect(kinds.toSorted()).toEqual(['fresh', 'owned']);
    expect(await purchase()).toMatchObject({ kind: 'owned', creditsSpent: 0 });
    answerNow();
    await concluding;
    const during = purchase();
    // The server delivers the update when the workflow task of the conclusion sends its heartbeat, after 8 seconds.
    await until('the purchase waits', async () => acceptedUpdates(await run.fetchHistory()) === 4);
    concludeNow();
    expect(await during).toMatchObject({ kind: 'owned', creditsSpent: 0 });
    await run.result();
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
    const workflowBundle = { codePath: projectFiles.workflowBundle };
    const history = await run.fetchHistory();
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
    await service.stopWorker();
  });
});

function acceptedUpdates({ events }: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>): number {
  return (events ?? []).filter(event => event.workflowExecutionUpdateAcceptedEventAttributes).length;
}
