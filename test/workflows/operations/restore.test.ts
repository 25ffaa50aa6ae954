import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { migrate } from '../../../db/migrate.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { type EmbeddedServices, startEmbedded } from '../../../platform/embedded/start-embedded.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { applyManifest } from '../../../platform/temporal/apply-manifest.js';
import { readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { dumpDatabase, restoreDatabase } from '../../support/dump/dump-database.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { subscribe } from '../../support/service/subscribe.js';
import { deliverTo } from '../../support/service/test-billing.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { openTestDatabase, type TestDatabase } from '../../support/service/test-database.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { type StripeStandIn, startStripeStandIn } from '../../support/stripe/stripe-stand-in.js';
import { until } from '../../support/until.js';

/**
 * A database is dumped while customers buy, and the service goes on. Then its server is lost, and the dump is restored
 * on an empty one: with the Temporal that the service used, which is ahead of the dump, and with an empty Temporal.
 */
const events = {
  metered: 'sample-ridge-derby-2031',
  finished: 'sample-fed-cut-2031',
  /** Under way during the dump, and still afterwards. */
  underWay: 'sample-oil-ladder-2031',
  /** Under way during the dump, and completed afterwards. */
  finishedLater: 'sample-hottest-year-2031',
  /** Bought after the dump and under way. */
  unknown: 'sample-great-quake-2031',
} as const;
type Run = keyof typeof events;

const keyRing = [{ kid: 'test', key: randomBytes(32) }];
const price = 120;
let stripe: StripeStandIn;
let home: string;
let server: EmbeddedServices;
let namespace: string;
let dump: string;
let paid: { known: unknown; unknown: unknown };
const callers = new Map<Run, TestCaller>();
const reportIds = new Map<Run, number>();
const restored: { service: TestService; database: TestDatabase }[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'council-restore-'));
  await chmod(home, 0o711);
  server = await startEmbedded({
    home,
    wantPostgres: true,
    durable: false,
    wantTemporal: false,
    temporal: { env: process.env, namespace: 'unused', flags: [] },
    log: () => undefined,
  });
  stripe = await startStripeStandIn();
  namespace = await emptyTemporal();
  await liveUntilTheServerIsLost();
}, 120_000);

afterAll(async () => {
  for (const { service, database } of restored) {
    await service.stop();
    await database.close();
  }
  await Promise.all([server.stop(), stripe.close()]);
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

/** A namespace without runs, as on a new server. */
async function emptyTemporal(): Promise<string> {
  const name = await ownNamespace();
  const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  await applyManifest(connection, name, { ...manifest, maintenance_every_seconds: {} });
  await connection.close();
  return name;
}

const callerOf = (run: Run): TestCaller => {
  const caller = callers.get(run);
  if (caller === undefined) throw new Error(`there is no caller of ${run}`);
  return caller;
};
const start = (options: { namespace: string; database?: TestDatabase }) =>
  startTestService({
    ...options,
    keyRing,
    stageDeadlinesMs: { opinions: 20_000, cross_review: 20_000, synthesis: 20_000 },
    payments: stripe.gateway(),
    usageSender: stripe.gateway(),
  });

async function liveUntilTheServerIsLost(): Promise<void> {
  const service = await start({ namespace });
  const { simulator, database } = service;
  for (const run of Object.keys(events) as Run[]) callers.set(run, await service.newCaller(price * 5));
  const buy = async (run: Run, more: object = {}) => {
    const { status, body } = await callerOf(run).buy(events[run], more);
    if (status !== 202) throw new Error(JSON.stringify(body));
    reportIds.set(run, body.report_id);
  };
  const ended = (run: Run) => callerOf(run).untilEnded(reportIds.get(run) ?? 0);
  const checkout = async () =>
    (await callerOf('finished').post('/api/billing/checkout', { pack_id: 'starter' })).body.session_id;

  await subscribe(database.db, callerOf('metered').accountId);
  await buy('metered', { lane: 'subscription' });
  await ended('metered');
  await buy('finished');
  await ended('finished');
  const knownCheckout = await checkout();
  const holdModels = async (run: Run) => {
    simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
    const before = simulator.calls.length;
    await buy(run);
    await until('its models are called', () => simulator.calls.length >= before + 4);
    simulator.clearFaults();
  };
  await holdModels('underWay');
  const load = [1, 2, 3].map(async () => {
    const caller = await service.newCaller(price * 5);
    return caller.run('sample-expo-host-2031');
  });
  await buy('finishedLater');
  dump = await dumpDatabase(database.url);
  await ended('finishedLater');
  await Promise.all(load);
  await runRound(service, 'send-usage');
  await holdModels('unknown');
  paid = { known: stripe.books.pay(knownCheckout), unknown: stripe.books.pay(await checkout()) };
  // First the worker, which waits for its calls: their runs know that they timed out.
  await service.stopWorker();
  await service.stop();
}

/** Restores the dump as docs/operations.md describes, and starts the service on it. */
async function restore(name: string, inNamespace: string): Promise<TestService> {
  const admin = new pg.Client({ connectionString: server.ownerDatabaseUrl });
  await admin.connect();
  await admin.query(`create database ${name} template template0`);
  await admin.end();
  const [ownerUrl, url] = [server.ownerDatabaseUrl, server.databaseUrl].map(
    of => Object.assign(new URL(of ?? ''), { pathname: `/${name}` }).href,
  );
  if (ownerUrl === undefined || url === undefined) throw new Error('unreachable');
  await restoreDatabase(ownerUrl, dump);
  await migrate(ownerUrl);
  const connections = openTestDatabase(url, ownerUrl);
  await connections.pool.query(
    `select setval(pg_get_serial_sequence('reports', 'id'), nextval(pg_get_serial_sequence('reports', 'id')) + 1000000)`,
  );
  const database = { ...connections, drop: connections.close };
  const service = await start({ namespace: inNamespace, database });
  restored.push({ service, database });
  return service;
}

/** Books and record, as `council ledger check` and `council record verify` report them. */
async function expectRight(
  { database: { db } }: TestService,
  notices: readonly unknown[] = [],
): Promise<void> {
  const audit = await auditBooks(db, new Date());
  expect(audit).toMatchObject({ drift: [], notices });
  expect((await verifyRecord(db)).faults).toEqual([]);
}

const stateOf = async ({ database }: TestService, run: Run) => {
  const { rows } = await database.pool.query(
    `select status, failure_code as failure,
       (select balance_credits::int from ledger_accounts as pool
        where pool.account_id = $2 and pool.name = 'purchased') as balance
     from reports where id = $1`,
    [reportIds.get(run), callerOf(run).accountId],
  );
  return rows[0] ?? null;
};

test('with a Temporal that is ahead, every run ends, and nobody pays for what is lost', async () => {
  const service = await restore('ahead', namespace);
  const { temporal, database } = service;
  await until(
    'the run that was under way goes on and ends',
    () => stateOf(service, 'underWay'),
    state => state?.status === 'completed' || state?.status === 'failed',
  );
  await until(
    'the run of a report that was lost ends',
    () => temporal.workflow.getHandle(callerOf('unknown').workflowId(events.unknown)).describe(),
    ({ status }) => status.name !== 'RUNNING',
  );
  expect(await stateOf(service, 'unknown')).toBeNull();
  const { rows } = await database.pool.query('select state from report_purchases where account_id = $1', [
    callerOf('unknown').accountId,
  ]);
  expect(rows.filter(({ state }) => state !== 'void')).toEqual([]);

  // Temporal knows the run as completed, the dump as under way: its charge is returned.
  await runRound(service, 'release-stranded-runs');
  expect(await stateOf(service, 'finishedLater')).toEqual({
    status: 'failed',
    failure: 'abandoned',
    balance: price * 5,
  });
  await expectRight(service);

  // Stripe counts usage that was sent after the dump once: the identifier is the same.
  const metered = stripe.books.meterEvents.size;
  expect(metered).toBe(1);
  await runRound(service, 'send-usage');
  expect(stripe.books.meterEvents.size).toBe(metered);
  expect((await database.pool.query('select state from usage_outbox')).rows).toEqual([{ state: 'sent' }]);

  // Events that are sent again from Stripe's dashboard credit what was paid after the dump, if the checkout is in it.
  // Any other payment is named.
  const before = (await stateOf(service, 'finished')).balance;
  for (const session of [paid.known, paid.known, paid.unknown]) {
    await deliverTo(service.url, stripe.event('checkout.session.completed', session));
  }
  expect((await stateOf(service, 'finished')).balance).toBe(before + 500);
  await expectRight(service, [
    expect.stringMatching(/^session cs_\w+ was paid with 700 cents .* no such session/),
  ]);
}, 120_000);

test('with an empty Temporal, runs that were under way are refunded after fifteen minutes', async () => {
  const service = await restore('empty', await emptyTemporal());
  const { rows } = await service.database.pool.query(
    `select count(*)::int as runs from reports where status in ('pending', 'processing')`,
  );
  expect(rows[0].runs).toBeGreaterThanOrEqual(2);
  expect(await runRound(service, 'release-stranded-runs')).toMatchObject({
    released: 0,
    waiting: rows[0].runs,
  });
  service.clock.offsetMs = 16 * 60_000;
  expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: rows[0].runs });
  for (const run of ['underWay', 'finishedLater'] as const) {
    expect(await stateOf(service, run)).toEqual({
      status: 'failed',
      failure: 'abandoned',
      balance: price * 5,
    });
  }
  await expectRight(service);
});
