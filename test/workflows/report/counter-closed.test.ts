import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { projectFiles } from '../../../config/project-files.js';
import { purchase } from '../../../workflows/messages.js';
import { reportWorkflowId } from '../../../workflows/workflow-id.js';
import { createRetoldEvents } from '../../support/record/retold-events.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { wishFor } from '../support/wish-for.js';

/**
 * Reading the market is a step that leaves its mark only when its workflow task ends. Whatever else ends in the same task must
 * come in an order that replay finds again; a run for which it does not stands still for ever, charged.
 */
const markets = createRetoldEvents();
let service: TestService;
let marketOpens: Promise<void>;
let openMarket: () => void;

beforeAll(async () => {
  service = await startTestService({
    markets,
    worker: false,
    around: real => ({
      ...real,
      freezeMarket: async run => {
        await marketOpens;
        return real.freezeMarket(run);
      },
    }),
  });
});
afterAll(() => service.stop());

/** Two processes order the same report before any worker has looked at the run. */
async function orderedTwice(caller: TestCaller) {
  marketOpens = new Promise(resolve => {
    openMarket = resolve;
  });
  const { wish, event } = await wishFor(service, caller, markets, markets.retell('sample-fed-cut-2031'));
  const answers = Promise.all([1, 2].map(() => service.newDesk().order(wish, event)));
  const run = service.temporal.workflow.getHandle(reportWorkflowId(wish));
  await until('both are on their way', async () => (await run.describe().catch(() => null)) !== null);
  await service.startWorker();
  return { wish, run, answers };
}

type Run = Awaited<ReturnType<typeof orderedTwice>>['run'];

const replayed = async (run: Run) =>
  Worker.runReplayHistory(
    { workflowBundle: { codePath: projectFiles.workflowBundle } },
    await run.fetchHistory(),
  );

/** How many steps are done, and whether a workflow task has begun since the last of them. */
async function stepsDone(run: Run): Promise<{ done: number; lookedAt: boolean }> {
  const events = (await run.fetchHistory()).events ?? [];
  const last = events.findLastIndex(event => event.activityTaskCompletedEventAttributes != null);
  return {
    done: events.filter(event => event.activityTaskCompletedEventAttributes != null).length,
    lookedAt: events.slice(last).some(event => event.workflowTaskStartedEventAttributes != null),
  };
}

describe('while the market is slow to answer', () => {
  test('a run at which two have met goes on after its worker is gone: it replays', async () => {
    const caller = await service.newCaller(1_000);
    const { run, answers } = await orderedTwice(caller);
    await until(
      'both were served',
      () => stepsDone(run),
      ({ done, lookedAt }) => done === 2 && lookedAt,
    );
    openMarket();
    const kinds = (await answers).map(answer => ('kind' in answer ? answer.kind : answer.refused));
    expect(kinds.toSorted()).toEqual(['fresh', 'owned']);
    await run.result();
    await expect(replayed(run)).resolves.toBeUndefined();
    await service.stopWorker();
  });

  test('who comes to the run is turned away, and leaves nothing in it', async () => {
    const caller = await service.newCaller(1_000);
    const { wish, run, answers } = await orderedTwice(caller);
    await until(
      'both were served',
      () => stepsDone(run),
      ({ done, lookedAt }) => done === 2 && lookedAt,
    );
    const request = {
      ...wish,
      purchaseId: randomUUID(),
      answerBy: new Date(Date.now() + 60_000).toISOString(),
    };
    const late = run.executeUpdate(purchase, { args: [request] });
    await expect(late).rejects.toThrow(WorkflowUpdateFailedError);
    openMarket();
    await answers;
    await run.result();
    const { events } = await run.fetchHistory();
    expect(
      events?.filter(event => event.workflowExecutionUpdateAcceptedEventAttributes != null),
    ).toHaveLength(2);
    await expect(replayed(run)).resolves.toBeUndefined();
  });
});
