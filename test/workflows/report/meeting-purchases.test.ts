import { describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { reportWorkflowId } from '../../../workflows/report-interface.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { gate, until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { freshRequest } from '../support/fresh-request.js';

const markets = createSampleEventCopies();
const [mayAnswer, concluding, mayConclude] = [gate(), gate(), gate()];
const service = await useTestService({
  markets,
  worker: false,
  around: real => ({
    ...real,
    askOpinion: async call => {
      await mayAnswer.opened;
      return real.askOpinion(call);
    },
    concludeReport: async result => {
      concluding.open();
      await mayConclude.opened;
      return real.concludeReport(result);
    },
  }),
});

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
    mayAnswer.open();
    await concluding.opened;
    const during = purchase();
    // The server delivers the update when the workflow task of the conclusion sends its heartbeat, after 8 seconds.
    await until('the purchase waits', async () => acceptedUpdates(await run.fetchHistory()) === 4);
    mayConclude.open();
    expect(await during).toMatchObject({ kind: 'owned', creditsSpent: 0 });
    await run.result();
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
    const workflowBundle = { codePath: projectFiles.workflowBundle };
    const history = await run.fetchHistory();
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  });
});

function acceptedUpdates({ events }: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>): number {
  return (events ?? []).filter(event => event.workflowExecutionUpdateAcceptedEventAttributes).length;
}
