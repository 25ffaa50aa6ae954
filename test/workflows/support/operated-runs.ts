import { delimiter, dirname } from 'node:path';
import { findTemporal } from '../../../platform/embedded/temporal/find-temporal.js';
import type { RealService } from '../../support/service/real-service.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';

/** A run that an operator looks for. Its ids and its price are set when it starts. */
export interface OperatedRun {
  readonly eventId: string;
  reportId: number;
  workflowId: string;
  credits: number;
}

export type OperatedRuns = ReturnType<typeof operatedRuns>;

/** One run of each kind. None has started. */
export function operatedRuns() {
  const on = (eventId: string): OperatedRun => ({ eventId, reportId: 0, workflowId: '', credits: 0 });
  return {
    completed: on('sample-fed-cut-2031'),
    degraded: on('sample-bitcoin-high-2031'),
    failed: on('sample-ridge-derby-2031'),
    running: on('sample-hottest-year-2031'),
    hopeless: on('sample-great-quake-2031'),
  };
}

/** Starts three runs that end and two that wait for a review that hangs. Both callers buy the first. */
export async function beginRuns(
  { simulator, database, temporal }: RealService,
  { owner, other }: { owner: TestCaller; other: TestCaller },
  runs: OperatedRuns,
): Promise<void> {
  const end = async (run: OperatedRun) => {
    await begin(owner, run);
    await owner.untilEnded(run.reportId);
  };
  await end(runs.completed);
  await other.buy(runs.completed.eventId);
  simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 401 });
  await end(runs.degraded);
  simulator.setFault({ model: 'claude', stage: 'opinions' }, { kind: 'refusal' });
  simulator.setFault({ model: 'gpt', stage: 'opinions' }, { kind: 'http', status: 429, retry_after: '3600' });
  await end(runs.failed);
  simulator.clearFaults();
  simulator.setFault({ model: 'grok', stage: 'cross_review' }, { kind: 'hang' });
  await begin(other, runs.running);
  await begin(other, runs.hopeless);
  const reviewing = "select 1 from reports where stage = 'cross_review' and status = 'processing'";
  await until(
    'both are at the cross-review',
    async () => (await database.pool.query(reviewing)).rows.length === 2,
  );
  for (const { workflowId } of [runs.running, runs.hopeless]) {
    await until(
      'only the review that hangs is pending',
      () => temporal.workflow.getHandle(workflowId).describe(),
      ({ raw }) => raw.pendingActivities?.length === 1,
    );
  }
}

async function begin(caller: TestCaller, run: OperatedRun): Promise<void> {
  const { body } = await caller.buy(run.eventId);
  run.reportId = body.report_id;
  run.credits = body.credits_spent;
  run.workflowId = caller.workflowId(run.eventId);
}

/** The environment of an operator of this service. */
export async function operatorEnv({ namespace, database }: RealService): Promise<NodeJS.ProcessEnv> {
  const temporal = await findTemporal({ env: process.env, log: () => undefined });
  return {
    PATH: `${dirname(temporal)}${delimiter}${process.env['PATH']}`,
    HOME: process.env['HOME'],
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
    TEMPORAL_NAMESPACE: namespace,
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };
}
