import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import type { UsageSender } from '../../../activities/maintenance/send-usage.js';
import type { ReportActivities } from '../../../activities/report/report-activities.js';
import { createAccounts, verifyAccount } from '../../../api/auth/accounts.js';
import type { PasswordHashing } from '../../../api/auth/password-hashing.js';
import { builtInSessions, type Sessions } from '../../../api/auth/sessions.js';
import type { Limits } from '../../../api/context.js';
import type { PageRenderer } from '../../../api/pages/page-renderer.js';
import type { RequestTimes } from '../../../api/server/http-server.js';
import { readinessOf, recordHeadOf, serve } from '../../../api/server/serve.js';
import { createKnownCallers } from '../../../api/throttling/known-callers.js';
import { listenForReportChanges } from '../../../db/reports/report-changes.js';
import { createSharedCounts } from '../../../db/throttling/shared-counts.js';
import type { EventSource } from '../../../markets/event-source.js';
import type { VenueSettings } from '../../../markets/open-venue.js';
import type { Pairs } from '../../../markets/pairs.js';
import type { PaymentGateway } from '../../../payments/payment-gateway.js';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import type { Mailer } from '../../../platform/mail/mailer.js';
import type { StageDeadlines } from '../../../platform/settings/setting-values.js';
import { publicUrlOf } from '../../../platform/settings/settings.js';
import { trustedOriginsOf } from '../../../platform/settings/trusted-origins.js';
import { createMetrics, type Metrics } from '../../../platform/telemetry/metrics.js';
import { carryTrace } from '../../../platform/telemetry/tracing.js';
import type { TemporalManifest } from '../../../platform/temporal/manifest.js';
import type { TimestampAuthority } from '../../../platform/timestamps/timestamp-authority.js';
import { checkTarget, type TargetCheck } from '../../../platform/webhooks/check-target.js';
import { logCeiling, type SalesPolicy } from '../../../purchase/house-ceilings.js';
import { type BatchRuns, createBatchRuns } from '../../../sales/batch-runs.js';
import {
  createTemporalPurchaser,
  type ReportPurchaser,
  runSettings,
} from '../../../sales/temporal-purchaser.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { openTestMarket } from '../market/test-market.js';
import { testPort } from '../test-port.js';
import { TestCaller } from './test-caller.js';
import { createTestDatabase, patienceMs, type TestDatabase } from './test-database.js';
import { testManifest } from './test-manifest.js';
import {
  researchPlan,
  type WebhookOptions,
  type WorkerBuild,
  type WorkerWorld,
  workerControl,
} from './worker-control.js';

/**
 * The whole service in one process, on real PostgreSQL, real Temporal and real HTTP; only the models are
 * simulated.
 */
export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly temporal: Client;
  readonly clock: TestClock;
  /** The metrics of the API. */
  readonly metrics: Metrics;
  readonly manifest: TemporalManifest;
  readonly batchRuns: BatchRuns;
  /** A second purchaser, as another API process would have. */
  readonly newPurchaser: () => ReportPurchaser;
  /** A new account with a session, an API key, and as many credits as given. */
  newCaller(credits?: number, has?: { weeklyGrant?: boolean }): Promise<TestCaller>;
  startWorker(): Promise<void>;
  /** A further worker, of another build. */
  newWorker(build: WorkerBuild): ReturnType<typeof workerControl>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** The current time plus an offset. */
export interface TestClock {
  offsetMs: number;
  /** The time at which the clock was stopped; absent while it runs. */
  stoppedAtMs?: number | undefined;
}

export interface TestServiceOptions {
  /** Read directly each time. Default: the sample events. */
  readonly markets?: EventSource;
  /** A server that speaks Gamma's format, read as by a deployed API: with shared answers, and within a budget. */
  readonly gammaUrl?: string;
  /** The venues of a deployment, read as by its API and its workers. */
  readonly venueSettings?: VenueSettings;
  /** Default: no market of these venues is known to have a pair. */
  readonly pairs?: Pairs;
  readonly stageDeadlinesMs?: StageDeadlines;
  /** How long members may search. Default: they do not. */
  readonly researchDeadlineMs?: number;
  /** As under `npm start`: model calls share the queue of the runs. Default: as in a deployment. */
  readonly isEmbedded?: boolean;
  readonly temporalAddress?: string;
  readonly worker?: boolean;
  /** After this time Temporal ends a run. Default: as in a deployment. */
  readonly runOpenMaxMs?: number;
  /** Default: the namespace that all tests share. In another one, the task queue is that of the manifest. */
  readonly namespace?: string;
  /** Default: nobody is throttled. */
  readonly limits?: { readonly requestsPerMinute?: Partial<Limits['requestsPerMinute']> } & Partial<
    Pick<Limits, 'attempts'>
  >;
  /** Default: the cheapest hashes. */
  readonly passwords?: PasswordHashing;
  /** As `TRUSTED_PROXIES`. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** How long a request may take to arrive. */
  readonly requestTimes?: RequestTimes;
  /** The database of another test service, which drops it. */
  readonly database?: TestDatabase;
  /** Default: none, so that nothing can be bought. */
  readonly payments?: PaymentGateway | null;
  /** A session verifier in place of the built-in accounts. */
  readonly sessions?: Sessions;
  /** What the operator decides about sales. Default: no ceilings, and grants for every address. */
  readonly policy?: Partial<SalesPolicy>;
  /** Default: a new one. */
  readonly keyRing?: readonly EncryptionKey[];
  /** Where webhooks may go. Default: anywhere. */
  readonly checkWebhookTarget?: (url: string) => Promise<TargetCheck>;
  /** Default: the worker has no payments configured. */
  readonly usageSender?: UsageSender;
  /** Default: the record is not time-stamped. */
  readonly timestampAuthority?: TimestampAuthority;
  /** Whether traces contain prompts and answers. Default: they do not. */
  readonly capturesContent?: boolean;
  /** Default: no mail is sent. */
  readonly mailer?: Mailer;
  /** Default: nothing is logged. */
  readonly log?: Logger;
  /** The web page. Default: none. */
  readonly pages?: PageRenderer;
  /** Wraps the activities, for example to lose a response. */
  readonly around?: (real: ReportActivities) => ReportActivities;
  /** How the worker sends webhooks. */
  readonly webhooks?: WebhookOptions;
}

const quickDeadlines: StageDeadlines = { opinions: 8_000, cross_review: 8_000, synthesis: 8_000 };

/** For tests that hold responses back, on a machine of any speed. */
export const longDeadlines: StageDeadlines = { opinions: 60_000, cross_review: 60_000, synthesis: 60_000 };

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  quietRuntime();
  const address = options.temporalAddress ?? process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  const manifest = testManifest(options.namespace);
  const log = options.log ?? pino({ level: 'silent' });
  const keyRing = options.keyRing ?? [{ kid: 'test', key: randomBytes(32) }];
  const database = options.database ?? (await createTestDatabase());
  const simulator = await startSimulator();
  const clock: TestClock = { offsetMs: 0 };
  const now = () => new Date((clock.stoppedAtMs ?? Date.now()) + clock.offsetMs);
  const policy = { ...unlimitedSales, ...options.policy };
  const metrics = createMetrics();
  const { reader, ...readByWorkers } = openTestMarket(options, { db: database.db, now, metrics, log });
  const connection = Connection.lazy({ address });
  const temporal = new Client({
    connection,
    namespace: manifest.namespace,
    interceptors: { workflow: [carryTrace] },
  });
  const reportChanges = listenForReportChanges({ databaseUrl: database.url, onError: () => undefined });
  const port = await testPort();
  const location = { PUBLIC_URL: undefined, HOST: '127.0.0.1', PORT: port };
  const publicUrl = publicUrlOf(location);
  const trustedOrigins = trustedOriginsOf(location, []);
  const mailer = options.mailer ?? { send: () => undefined };
  const accounts = createAccounts({
    log,
    now,
    databaseUrl: database.url,
    baseUrl: publicUrl,
    trustedOrigins,
    secrets: [{ version: 1, value: randomBytes(32).toString('base64') }],
    mailer,
    addressVerified: verifyAccount({ db: database.db, now, newId: randomUUID }),
    onSignUp: () => metrics.signUps.inc(),
    ...(options.passwords === undefined ? {} : { passwords: options.passwords }),
  });
  const deskOptions = {
    client: temporal,
    db: database.db,
    taskQueue: manifest.task_queue,
    simulated: true,
    policy,
    onCeiling: logCeiling(log),
    runs: runSettings(manifest, {
      stageDeadlinesMs: options.stageDeadlinesMs ?? quickDeadlines,
      research: researchPlan(options.researchDeadlineMs),
      isEmbedded: options.isEmbedded ?? false,
    }),
    now,
    newId: randomUUID,
    onError: () => undefined,
    ...(options.runOpenMaxMs === undefined ? {} : { runOpenMaxMs: options.runOpenMaxMs }),
  };
  const batchRuns = createBatchRuns(deskOptions);
  const served = await serve(
    {
      db: database.db,
      reportChanges,
      publicUrl,
      securityContact: 'security@council.test',
      trustedOrigins,
      trustedProxies: options.trustedProxies ?? [],
      markets: reader,
      purchaser: createTemporalPurchaser(deskOptions),
      batchRuns,
      payments: options.payments ?? null,
      mailer,
      ...(options.sessions ?? builtInSessions(accounts)),
      simulated: true,
      policy,
      limits: testLimits(options),
      counts: createSharedCounts(database.servicePool, () => undefined, patienceMs),
      knownCallers: createKnownCallers(),
      keyRing,
      checkWebhookTarget: options.checkWebhookTarget ?? (url => checkTarget(url, 'any')),
      metrics,
      pages: options.pages ?? null,
      readiness: readinessOf(database.db, temporal),
      recordHead: recordHeadOf(database.db),
      now,
      newId: randomUUID,
      randomBytes,
      log,
    },
    '127.0.0.1',
    port,
    options.requestTimes,
  );
  const workerWorld: WorkerWorld = {
    address,
    manifest,
    database,
    simulator,
    ...readByWorkers,
    keyRing,
    policy,
    now,
    temporal,
    log,
    usageSender: options.usageSender ?? null,
    timestampAuthority: options.timestampAuthority ?? null,
    capturesContent: options.capturesContent ?? false,
    around: options.around ?? (real => real),
    webhooks: options.webhooks ?? {},
  };
  const workers = workerControl(workerWorld);
  if (options.worker !== false) await workers.start();
  return {
    url: served.url,
    database,
    simulator,
    temporal,
    clock,
    metrics,
    manifest,
    batchRuns,
    newPurchaser: () => createTemporalPurchaser(deskOptions),
    newCaller: (credits, has) => TestCaller.signUp(served.url, database.db, credits ?? 0, has),
    startWorker: workers.start,
    newWorker: build => workerControl(workerWorld, build),
    stopWorker: workers.stop,
    stop: async () => {
      // Ends the calls that still hang: a worker waits for its own.
      await Promise.all([workers.stop(), simulator.close()]);
      await served.close();
      await Promise.all([connection.close(), accounts.close(), reportChanges.close()]);
      if (options.database === undefined) await database.drop();
    },
  };
}

function testLimits({ limits = {} }: TestServiceOptions): Limits {
  const { requestsPerMinute, attempts = null } = limits;
  const unlimited = { address: 600_000, anonymous: 600_000, credential: 600_000 };
  return { requestsPerMinute: { ...unlimited, ...requestsPerMinute }, attempts };
}

function quietRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  } catch {
    // A second service in the same test file: the runtime is already installed.
  }
}
