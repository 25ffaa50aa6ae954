import { expect } from '@jest/globals';
import { scrape, total } from '../../support/machine/scrape.js';
import { type RealService, startRealService } from '../../support/service/real-service.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';

const keys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'XAI_API_KEY'];

/** The service has not yet sold a report on the last one. */
export const events = {
  completed: 'sample-fed-cut-2031',
  degraded: 'sample-bitcoin-high-2031',
  failed: 'sample-ridge-derby-2031',
  hanging: 'sample-hottest-year-2031',
};

/** Paths that a scanner requests: in another case, of other accounts, or unknown. */
const scanned = ['/API/rePORTS/77', '/api/reports/78', '/api/keys/none', '/api/nothing', '/wp-login.php'];

/**
 * A service as it is shipped, after purchases of every kind (completed, cached, owned, refused, degraded,
 * failed) and a scan of its paths. Its own keys contain the word `canary`.
 */
export async function startEventfulService(): Promise<{
  service: RealService;
  callers: readonly TestCaller[];
}> {
  const service = await startRealService(Object.fromEntries(keys.map(name => [name, `canary-${name}`])));
  const { simulator } = service;
  const first = await service.newCaller(1_000);
  const second = await service.newCaller(1_000);
  const bought = async (eventId: string) => {
    return first.run(eventId);
  };
  expect((await bought(events.completed)).status).toBe('completed');
  await second.buy(events.completed);
  await second.buy(events.completed);
  await (await service.newCaller(0)).buy('sample-oil-ladder-2031');

  simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 401, echo: true });
  simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, { kind: 'invalid_json' });
  expect((await bought(events.degraded)).council_config.runtime.degraded).toBe(true);
  simulator.clearFaults();
  simulator.setFault({}, { kind: 'http', status: 403 });
  expect((await bought(events.failed)).status).toBe('failed');
  simulator.clearFaults();
  for (const path of scanned) await first.get(path);
  await first.post('/api/nothing', {});
  return { service, callers: [first, second] };
}

/** Causes a failed workflow task and a failed activity, for the metrics that appear only after failures. */
export async function causeFailures({ database, temporal, worker }: RealService): Promise<void> {
  await database.pool.query('alter table weekly_grants rename to mislaid');
  const maintenance = temporal.workflow.getHandle('maintenance/expire-grants');
  await maintenance.startUpdate('runNow', { waitForStage: 'ACCEPTED' });
  const unknown = await temporal.workflow.start('unknownWorkflow', {
    taskQueue: 'council-reports',
    workflowId: 'unknown',
  });
  const failures = async () => {
    const samples = await scrape(worker.url);
    return [
      total(samples, 'temporal_activity_execution_failed_total'),
      total(samples, 'temporal_workflow_task_execution_failed_total'),
    ];
  };
  await until('both have failed', failures, ([activities = 0, tasks = 0]) => activities > 0 && tasks > 0);
  await database.pool.query('alter table mislaid rename to weekly_grants');
  await unknown.terminate();
}
