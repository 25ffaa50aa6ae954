import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import type { maintenance } from '../../../workflows/maintenance.js';
import { maintenanceOptions, runRound } from '../../support/service/run-maintenance.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const logged: { level: number; msg: string }[] = [];
let service: TestService;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: line => void logged.push(JSON.parse(line)) });
  service = await startTestService({ log });
});
afterAll(() => service.stop());

const errorLevel = 50;

test('the credits that a weekly grant still holds after its week are taken back, once', async () => {
  service.simulator.setFault({}, { kind: 'http', status: 403 });
  const caller = await service.newCaller(0, { weeklyGrant: true });
  const { body } = await caller.buy('sample-fed-cut-2031');
  expect(await caller.untilEnded(body.report_id)).toMatchObject({ status: 'failed' });
  service.simulator.clearFaults();
  const held = () => balanceCredits(service.database.db, caller.accountId, 'weekly_grant');
  expect(await held()).toBeGreaterThan(0);
  expect(await runRound(service, 'expire-grants')).toEqual({ expired: 0 });
  service.clock.offsetMs = 8 * 24 * 3_600_000;
  expect(await runRound(service, 'expire-grants')).toEqual({ expired: 1 });
  expect(await runRound(service, 'expire-grants')).toEqual({ expired: 0 });
  service.clock.offsetMs = 0;
  expect(await held()).toBe(0);
});

test('open checkouts are not asked about while payments are not configured', async () => {
  expect(await runRound(service, 'fulfil-checkouts')).toMatchObject({ fulfilled: 0, reachable: false });
});

describe('the audit of the ledger', () => {
  test('reports how many rows it read when the ledger adds up, and logs nothing', async () => {
    const caller = await service.newCaller(500);
    const { body } = await caller.buy('sample-ridge-derby-2031');
    await caller.untilEnded(body.report_id);
    logged.length = 0;
    const check = await runRound(service, 'check-ledger');
    expect(check).toMatchObject({ drift: [], drifts: 0, notices: 0 });
    expect(check.checked['purchases']).toBeGreaterThan(0);
    expect(logged).toEqual([]);
  });

  test('fails the run and logs each fault as an error when it does not; the next run still starts', async () => {
    await service.database.pool.query('alter table report_purchases disable trigger user');
    await service.database.pool.query('update report_purchases set credits = credits + 1');
    logged.length = 0;
    const options = maintenanceOptions(service, 'check-ledger', 1);
    const loop = await service.temporal.workflow.start<typeof maintenance>('maintenance', options);
    const first = service.temporal.workflow.getHandle(loop.workflowId, loop.firstExecutionRunId);
    await until(
      'the run fails',
      () => first.describe(),
      ({ status }) => status.name === 'FAILED',
    );
    const { events } = await first.fetchHistory();
    const failure = events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
    expect(failure?.applicationFailureInfo?.type).toBe('ledger_drift');
    expect(failure?.message).toMatch(/does not add up, in 2 places:\npurchase .* its charge took/);
    const errors = logged.filter(({ level }) => level === errorLevel).map(({ msg }) => msg);
    expect(errors.slice(0, 2)).toEqual([
      expect.stringMatching(/^purchase .* its charge took/),
      expect.stringMatching(/^purchase .* its charge took/),
    ]);
    const handle = service.temporal.workflow.getHandle(loop.workflowId);
    await until(
      'the next run is started',
      () => handle.describe(),
      ({ runId, status }) => runId !== loop.firstExecutionRunId && status.name === 'RUNNING',
    );
    await handle.terminate();
  });
});
