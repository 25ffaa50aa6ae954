import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { takePlace } from '../../../db/reports/held-answers.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { createTimestampAuthority } from '../../../platform/timestamps/timestamp-authority.js';
import type { maintenance } from '../../../workflows/maintenance.js';
import { tamper } from '../../support/record/tamper.js';
import { maintenanceOptions, runRound } from '../../support/service/run-maintenance.js';
import { send } from '../../support/service/send.js';
import { subscribe } from '../../support/service/subscribe.js';
import {
  hasOpenssl,
  skippedWithoutOpenssl,
  startOpensslAuthority,
} from '../../support/timestamps/openssl-authority.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { maintenanceActivities } from '../support/maintenance-activities.js';
import { createUsageProvider } from '../support/usage-provider.js';

const logged: { level: number; msg: string }[] = [];
const authority = hasOpenssl ? await startOpensslAuthority() : null;
const stamps =
  authority === null
    ? {}
    : { timestampAuthority: createTimestampAuthority({ url: authority.url, randomBytes }) };
const stripe = createUsageProvider();
const service = await useTestService({
  log: pino({ level: 'warn' }, { write: line => void logged.push(JSON.parse(line)) }),
  usageSender: stripe.sender,
  ...stamps,
});
afterAll(() => authority?.close());

const day = 24 * 3_600_000;
const errorLevel = 50;

test('the credits that a weekly grant still holds after its week are taken back, once', async () => {
  service.simulator.setFault({}, { kind: 'http', status: 403 });
  const caller = await service.newCaller(0, { weeklyGrant: true });
  expect(await caller.run('sample-fed-cut-2031')).toMatchObject({ status: 'failed' });
  service.simulator.clearFaults();
  const held = () => balanceCredits(service.database.db, caller.accountId, 'weekly_grant');
  expect(await held()).toBeGreaterThan(0);
  expect(await runRound(service, 'expire-grants')).toEqual({ expired: 0, failed: 0 });
  service.clock.offsetMs = 8 * day;
  expect(await runRound(service, 'expire-grants')).toEqual({ expired: 1, failed: 0 });
  expect(await runRound(service, 'expire-grants')).toEqual({ expired: 0, failed: 0 });
  service.clock.offsetMs = 0;
  expect(await held()).toBe(0);
});

test('usage is sent, and the daily comparison fails visibly when Stripe has lost some', async () => {
  const caller = await service.newCaller();
  await subscribe(service.database.db, caller.accountId);
  await caller.run('sample-oil-ladder-2031', { lane: 'subscription' });
  expect(await runRound(service, 'send-usage')).toMatchObject({ sent: 1 });
  service.clock.offsetMs = 2 * day;
  expect(await runRound(service, 'compare-usage')).toEqual({ compared: 1 });
  stripe.counted.clear();
  await expect(runRound(service, 'compare-usage')).rejects.toHaveProperty(
    'cause.message',
    expect.stringContaining('Stripe has counted other usage than was sent, in 1 places'),
  );
  service.clock.offsetMs = 0;
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

  // Those of the callers of this file, which hold nothing any more.
  await pool.query('delete from held_answers');
  const now = new Date();
  const inAnHour = new Date(now.getTime() + 3_600_000);
  await takePlace(service.database.db, { accountId: randomUUID(), until: inAnHour, now });
  expect(await runRound(service, 'prune')).toEqual(nothingPruned);
  const { rowCount: counts } = await pool.query('select from throttle_counts');
  expect(counts).toBeGreaterThan(0);
  service.clock.offsetMs = day;
  expect(await runRound(service, 'prune')).toEqual({
    ...nothingPruned,
    idempotency_keys: 1,
    throttle_counts: counts,
    held_answers: 1,
  });
  service.clock.offsetMs = 91 * day;
  const pruned = await runRound(service, 'prune');
  expect(pruned.model_calls).toBeGreaterThanOrEqual(9);
  expect(pruned.house_spend).toBeGreaterThanOrEqual(1);
  expect(await runRound(service, 'prune')).toEqual(nothingPruned);
  service.clock.offsetMs = 0;

  const { rows: left } = await pool.query(
    `select (select count(*)::int from provider_calls) as calls, array_agg(id) as prices from quotes`,
  );
  expect(left).toEqual([{ calls: 0, prices: kept[0].prices }]);
  const { body } = await caller.get(`/api/reports/${bought.body.report_id}`);
  expect(JSON.stringify(body)).toBe(report);
});

const nothingPruned = {
  idempotency_keys: 0,
  model_calls: 0,
  quotes: 0,
  sessions: 0,
  verifications: 0,
  throttle_counts: 0,
  market_answers: 0,
  held_answers: 0,
  grant_claims: 0,
  house_spend: 0,
  webhook_deliveries: 0,
};

const describeIfOpenssl = hasOpenssl ? describe : describe.skip;

describeIfOpenssl(`the time stamps of the record${skippedWithoutOpenssl}`, () => {
  const hour = 3_600_000;
  const path = '/api/stats/track-record/timestamps';
  const receipts = async (): Promise<any[]> => (await send(service.url + path)).body.timestamps;
  const head = async () => (await send(`${service.url}/api/stats/track-record`)).body.record;
  const buyAndAwait = async (eventId: string) => {
    const caller = await service.newCaller(500);
    await caller.run(eventId);
  };

  test('cover new entries at once, public, and accepted by OpenSSL', async () => {
    await buyAndAwait('sample-harbour-cup-final-2031');
    const { entries, head: hash } = await head();
    expect(await runRound(service, 'stamp-record')).toEqual({ did: 'stamped', entry: entries });
    const [receipt] = await receipts();
    expect(receipt).toMatchObject({ number: entries, hash, authority: authority?.url });
    expect(await authority?.verify(Buffer.from(receipt.token, 'base64'), hash)).toContain('Verification: OK');

    await buyAndAwait('sample-ridge-derby-2031');
    const { entries: more } = await head();
    expect(await runRound(service, 'stamp-record')).toEqual({ did: 'stamped', entry: more });
    expect(await receipts()).toMatchObject([{ number: entries }, { number: more }]);
  });

  test('are one an hour while nothing is sold', async () => {
    const { entries } = await head();
    expect(await runRound(service, 'stamp-record')).toEqual({ did: 'already_stamped', entry: null });
    expect(authority?.requests()).toBe(2);
    service.clock.offsetMs = hour;
    expect(await runRound(service, 'stamp-record')).toEqual({ did: 'stamped', entry: entries });
    expect(await receipts()).toHaveLength(3);
  });

  test('are made beside those of release 1.0.0, which makes one a UTC day', async () => {
    const insert = `insert into record_timestamps (utc_day, seq, hash, authority, token, stamped_at)
      select '2031-01-01', seq, hash, authority, token, stamped_at from record_timestamps limit 1
      on conflict (utc_day) do nothing returning id`;
    expect((await service.database.pool.query(insert)).rows).toHaveLength(1);
    expect((await service.database.pool.query(insert)).rows).toEqual([]);
    expect(await runRound(service, 'stamp-record')).toMatchObject({ did: 'stamped' });
  });

  test('are requested again after a failure, which is logged; nothing is stored that does not fit', async () => {
    const before = (await receipts()).length;
    service.clock.offsetMs = 2 * hour;
    logged.length = 0;
    let failures = 0;
    authority?.misbehave(reply => (++failures < 3 ? Buffer.from('out of order') : reply));
    expect(await runRound(service, 'stamp-record')).toMatchObject({ did: 'stamped' });
    authority?.misbehave(null);
    expect(await receipts()).toHaveLength(before + 1);
    const failure = [errorLevel, 'the head of the record was not time-stamped; the duty tries again'];
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([failure, failure]);
    logged.length = 0;
  });

  test('confirm no entry that was tampered with', async () => {
    service.clock.offsetMs = 3 * hour;
    const { entries } = await head();
    const undo = await tamper(
      service.database,
      `update record_entries set payload = payload || ' ' where seq = ${entries}`,
    );
    const asked = authority?.requests();
    const { db } = service.database;
    const activities = maintenanceActivities({
      db,
      ...stamps,
      now: () => new Date(Date.now() + 3 * hour),
    });
    await expect(activities.stampRecord()).rejects.toThrow(/does not match its hash/);
    expect(authority?.requests()).toBe(asked);
    await undo();
    service.clock.offsetMs = 0;
    await expect(service.database.pool.query('delete from record_timestamps')).rejects.toThrow(
      /keeps its rows/,
    );
  });
});

describe('the audit of the ledger', () => {
  test('reports how many rows it read when the ledger adds up, and logs nothing', async () => {
    const caller = await service.newCaller(500);
    await caller.run('sample-ridge-derby-2031');
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
    await caller.run('sample-fed-cut-2031');
    expect(await check()).toMatchObject({ scope: 'changes', checked: { purchases: 1, reports: 1 } });
    service.clock.offsetMs = 7 * day;
    expect(await check()).toMatchObject({ scope: 'all' });
    expect(await settled()).toMatchObject({ scope: 'changes' });
    service.clock.offsetMs = 0;
  });

  test('of all rows that does not finish stops no audit of the changes, is reported, and is tried again in a day', async () => {
    const { db } = service.database;
    const [errors, metrics] = [[] as string[], createMetrics()];
    const hour = async (hours: number, fullAuditMaxMs?: number) => {
      const activities = maintenanceActivities({
        db,
        metrics,
        now: () => new Date(Date.now() + hours * 3_600_000),
        log: pino({ level: 'error' }, { write: line => void errors.push(line) }),
        ...(fullAuditMaxMs === undefined ? {} : { fullAuditMaxMs }),
      });
      const { scope } = await activities.checkLedger();
      const { values } = await metrics.ledgerFullyAudited.get();
      return { scope, errors: errors.splice(0).length, fullyAuditedHour: hourOf(values[0]?.value) };
    };
    const hourOf = (seconds = NaN) => Math.round((seconds * 1_000 - Date.now()) / 3_600_000);
    expect(await hour(0)).toMatchObject({ errors: 0 });
    const first = (await hour(0)).fullyAuditedHour;
    const due = first + 7 * 24 + 1;
    expect(await hour(due, 0)).toEqual({ scope: 'changes', errors: 1, fullyAuditedHour: first });
    const { audited_at } = await db
      .selectFrom('audit_horizon')
      .select('audited_at')
      .executeTakeFirstOrThrow();
    expect(Math.abs(audited_at.getTime() - Date.now() - due * 3_600_000)).toBeLessThan(day);
    expect(await hour(due + 1, 0)).toEqual({ scope: 'changes', errors: 0, fullyAuditedHour: first });
    expect(await hour(due + 25)).toEqual({ scope: 'all', errors: 0, fullyAuditedHour: due + 25 });

    await db.deleteFrom('audit_horizon').execute();
    await expect(hour(0, 0)).rejects.toThrow(/did not finish/);
    expect(await hour(1, 0)).toMatchObject({ scope: 'changes' });
    await db.deleteFrom('audit_horizon').execute();
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
