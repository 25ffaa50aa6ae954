import { afterEach, describe, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { refundPurchase } from '../../../db/purchases/refunds.js';
import { insufficientCredits } from '../../../purchase/purchase.js';
import { compareEnds } from '../../support/compare-ends.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { gate, until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { replaceableActivities } from '../support/replaceable-activities.js';

/**
 * Every way in which a run can end without a report. Each must leave the same in PostgreSQL and in Temporal. (A defect
 * in the workflow code ends no run: its workflow task is repeated until another build can replay it, and nothing sets a
 * time-out for a run.)
 */
const markets = createSampleEventCopies();
const { real, replaced, around } = replaceableActivities();
const service = await useTestService({
  markets,
  stageDeadlinesMs: longDeadlines,
  researchDeadlineMs: longDeadlines.opinions,
  around,
});

afterEach(() => service.simulator.clearFaults());

async function openRun() {
  const caller = await service.newCaller(500);
  const eventId = markets.retell('sample-fed-cut-2031');
  const run = service.temporal.workflow.getHandle(caller.workflowId(eventId));
  const ended = async () => {
    await run.result().catch(() => undefined);
    return (await run.describe()).status.name;
  };
  return { caller, eventId, run, ended };
}

type Opened = Awaited<ReturnType<typeof openRun>>;

/** Runs the real step, and holds its response back until the test lets it go. */
function heldAfter<Input, Result>(step: (input: Input) => Promise<Result>) {
  const [done, mayGo] = [gate(), gate()];
  const held = async (input: Input) => {
    const result = await step(input);
    done.open();
    await mayGo.opened;
    return result;
  };
  return { held, isDone: done.opened, letGo: mayGo.open };
}

async function expectRefunded({ caller }: Opened, reportId: number, code: string) {
  const report = await caller.untilEnded(reportId);
  expect(report).toMatchObject({ status: 'failed', failure: { code } });
  expect(await caller.balance()).toBe(500);
  return report;
}

const expectNoDifference = () =>
  until(
    'both stores say the same',
    async () => {
      const found = await compareEnds(service.database.db, service.temporal);
      return found.length === 0 ? true : found.join('\n');
    },
    found => found === true,
  );

/** Starts a run whose models hang at a stage. */
async function hanging(stage: 'research' | 'opinions' = 'opinions') {
  service.simulator.setFault({ stage }, { kind: 'hang' });
  const opened = await openRun();
  const before = service.simulator.calls.length;
  const { body } = await opened.caller.buy(opened.eventId);
  await until('the members are asked', () => {
    const asked = service.simulator.calls.slice(before).filter(call => call.stage === stage);
    return asked.length === { research: 3, opinions: 4 }[stage];
  });
  return { ...opened, reportId: body.report_id as number };
}

describe('a run leaves the same end in PostgreSQL and in Temporal', () => {
  test('when it fails, by a failure of its council or of ours', async () => {
    service.simulator.setFault({}, { kind: 'refusal' });
    const lost = await openRun();
    const { body } = await lost.caller.buy(lost.eventId);
    await expectRefunded(lost, body.report_id, 'quorum_lost');
    // Of one member alone, which is no dropout of it: the others could have gone on.
    replaced.askOpinion = async call => {
      if (call.model !== 'claude') return real.askOpinion(call);
      throw ApplicationFailure.nonRetryable('connect ECONNREFUSED 127.0.0.1:5432', 'Error');
    };
    service.simulator.clearFaults();
    const defect = await openRun();
    const bought = await defect.caller.buy(defect.eventId);
    await expectRefunded(defect, bought.body.report_id, 'internal');
    expect([await lost.ended(), await defect.ended()]).toEqual(['FAILED', 'FAILED']);
    await expectNoDifference();
  });

  test('when it is cancelled while its members are asked', async () => {
    const opened = await hanging();
    await opened.run.cancel();
    const { dropouts } = await expectRefunded(opened, opened.reportId, 'cancelled');
    expect(dropouts).toEqual([]);
    expect(await opened.ended()).toBe('CANCELLED');
    await expectNoDifference();
  });

  test('when it is cancelled while its members search, which is no failed search', async () => {
    const opened = await hanging('research');
    await opened.run.cancel();
    await expectRefunded(opened, opened.reportId, 'cancelled');
    expect(await opened.ended()).toBe('CANCELLED');
    await expectNoDifference();
  });

  test('when it is cancelled after the charge was committed, and before the run knows it', async () => {
    const purchase = heldAfter(real.purchaseReport);
    replaced.purchaseReport = purchase.held;
    const opened = await openRun();
    const bought = opened.caller.buy(opened.eventId);
    await purchase.isDone;
    await opened.run.cancel();
    await until('the run has seen it', async () =>
      (await opened.run.fetchHistory()).events?.some(
        ({ workflowExecutionCancelRequestedEventAttributes: seen }) => seen,
      ),
    );
    purchase.letGo();
    const { body } = await bought;
    await expectRefunded(opened, body.report_id, 'cancelled');
    expect(await opened.ended()).toBe('CANCELLED');
    await expectNoDifference();
  });

  test('when it is cancelled before anything is charged', async () => {
    const purchase = heldAfter(() => Promise.resolve(insufficientCredits(100, 0, 0)));
    replaced.purchaseReport = purchase.held;
    const opened = await openRun();
    const bought = opened.caller.buy(opened.eventId);
    await purchase.isDone;
    await opened.run.cancel();
    purchase.letGo();
    await bought;
    await opened.ended();
    expect(await opened.caller.balance()).toBe(500);
    await expectNoDifference();
  });

  test('when every purchase is refused', async () => {
    replaced.purchaseReport = () => Promise.resolve(insufficientCredits(100, 0, 0));
    const opened = await openRun();
    await opened.caller.buy(opened.eventId);
    expect(await opened.ended()).toBe('COMPLETED');
    await expectNoDifference();
  });

  test('when it is cancelled too late: a report that is delivered completes its run', async () => {
    const conclusion = heldAfter(real.concludeReport);
    replaced.concludeReport = conclusion.held;
    const opened = await openRun();
    const { body } = await opened.caller.buy(opened.eventId);
    await conclusion.isDone;
    await opened.run.cancel();
    conclusion.letGo();
    expect(await opened.caller.untilEnded(body.report_id)).toMatchObject({ status: 'completed' });
    expect(await opened.ended()).toBe('COMPLETED');
    expect(await opened.caller.balance()).toBeLessThan(500);
    await expectNoDifference();
  });

  test('when the response to its purchase is lost', async () => {
    replaced.purchaseReport = async input => {
      await real.purchaseReport(input);
      throw ApplicationFailure.nonRetryable('the response was lost');
    };
    const opened = await openRun();
    expect(await opened.caller.run(opened.eventId)).toMatchObject({ status: 'completed' });
    expect(await opened.ended()).toBe('COMPLETED');
    await expectNoDifference();
  });

  test('when it is terminated, as soon as its charge is refunded', async () => {
    const opened = await hanging();
    await opened.run.terminate('by an operator');
    const difference = `report ${opened.reportId} is processing (null), and its run is TERMINATED`;
    await until('the difference is found', async () =>
      (await compareEnds(service.database.db, service.temporal)).some(found => found.startsWith(difference)),
    );
    await runRound(service, 'release-stranded-runs');
    await expectRefunded(opened, opened.reportId, 'abandoned');
    await expectNoDifference();
  });

  test('and a report that was refunded while its run goes on is a difference', async () => {
    const { reportId, caller, run } = await hanging();
    const { db } = service.database;
    const { purchaseId } = await db
      .selectFrom('report_purchases')
      .select('id as purchaseId')
      .where('report_id', '=', reportId)
      .executeTakeFirstOrThrow();
    await refundPurchase(db, {
      purchaseId,
      accountId: caller.accountId,
      failure: 'abandoned',
      now: new Date(),
    });
    await until('the difference is found', async () =>
      (await compareEnds(db, service.temporal)).includes(
        `report ${reportId} is failed (abandoned), and its run is RUNNING with the ReportStatus processing`,
      ),
    );
    await run.cancel();
    await expectNoDifference();
  });
});
