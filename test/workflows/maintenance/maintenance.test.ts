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

test('what is kept for a limited time is deleted after it, and no report changes by a byte', async () => {
  const { pool } = service.database;
  const caller = await service.newCaller(1_000);
  const bought = await caller.buy('sample-fed-cut-2031', {}, { 'idempotency-key': 'a' });
  await caller.untilEnded(bought.body.report_id);
  const report = JSON.stringify((await caller.get(`/api/reports/${bought.body.report_id}`)).body);
  const { rows: kept } = await pool.query('select array[max(id)] as prices from quotes');
  const day = 24 * 3_600_000;

  expect(await runRound(service, 'prune')).toEqual(nothingPruned);
  service.clock.offsetMs = day;
  expect(await runRound(service, 'prune')).toEqual({ ...nothingPruned, idempotency_keys: 1 });
  service.clock.offsetMs = 91 * day;
  const pruned = await runRound(service, 'prune');
  expect(pruned.model_calls).toBeGreaterThanOrEqual(9);
  expect(await runRound(service, 'prune')).toEqual(nothingPruned);
  service.clock.offsetMs = 0;

  const { rows: left } = await pool.query(
    `select (select count(*)::int from provider_calls) as calls, array_agg(id) as prices from quotes`,
  );
  expect(left).toEqual([{ calls: 0, prices: kept[0].prices }]);
  const { body } = await caller.get(`/api/reports/${bought.body.report_id}`);
  expect(JSON.stringify(body)).toBe(report);
});

const nothingPruned = { idempotency_keys: 0, model_calls: 0, quotes: 0, sessions: 0, verifications: 0 };

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

  test('compares all rows first and every week, and in between only what was written since', async () => {
    const { db } = service.database;
    await db.deleteFrom('audit_horizon').execute();
    const check = () => runRound(service, 'check-ledger');
    // Later than every transaction of this file: an open one of another database on the server is read again.
    const settled = () =>
      until('nothing is left to compare', check, ({ checked }) => checked['purchases'] === 0);
    expect(await check()).toMatchObject({ scope: 'all' });
    expect(await settled()).toMatchObject({ scope: 'changes' });
    const caller = await service.newCaller(500);
    await caller.untilEnded((await caller.buy('sample-fed-cut-2031')).body.report_id);
    expect(await check()).toMatchObject({ scope: 'changes', checked: { purchases: 1, reports: 1 } });
    service.clock.offsetMs = 7 * 24 * 3_600_000;
    expect(await check()).toMatchObject({ scope: 'all' });
    expect(await settled()).toMatchObject({ scope: 'changes' });
    service.clock.offsetMs = 0;
  });

  test('fails the run and logs each fault as an error when it does not; the next run still starts', async () => {
    await service.database.pool.query('alter table report_purchases disable trigger purchases_end_once');
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
    expect(failure?.message).toMatch(/does not add up, in \d+ places:\npurchase .* its charge took/);
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
