import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createReportActivities } from '../../activities/create-report-activities.js';
import { createWorker } from '../../activities/create-worker.js';
import type { ReportActivities } from '../../activities/report-activities.js';
import { builtInIssuer, createAccounts } from '../../api/auth/accounts.js';
import type { Sessions } from '../../api/auth/open-sessions.js';
import { createSessionVerifier } from '../../api/auth/session-verifier.js';
import { readinessOf } from '../../api/readiness.js';
import type { ReportDesk } from '../../api/report-desk.js';
import { serve } from '../../api/serve.js';
import { createTemporalReportDesk } from '../../api/temporal-report-desk.js';
import { termsOf } from '../../api/terms-of.js';
import { projectFiles } from '../../config/project-files.js';
import type { StageDeadlines } from '../../config/stage-deadlines.js';
import { readTemporalManifest, type TemporalManifest } from '../../config/temporal-manifest.js';
import type { EventSource } from '../../markets/event-source.js';
import { createSampleEventSource } from '../../markets/sample-event-source.js';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { type Simulator, startSimulator } from '../../providers/simulator/simulator.js';
import { TestCaller } from './test-caller.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The whole service in one process, on real PostgreSQL, real Temporal and real HTTP; only the models are simulated. */
export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly temporal: Client;
  readonly clock: TestClock;
  /** Another API process, as far as orders are concerned. */
  readonly newDesk: () => ReportDesk;
  /** A new account with a session, an API key, and as many credits as given. */
  newCaller(credits?: number): Promise<TestCaller>;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

/** Now, moved by as much as a test wants. */
export interface TestClock {
  offsetMs: number;
}

export interface TestServiceOptions {
  readonly markets?: EventSource;
  readonly stageDeadlinesMs?: StageDeadlines;
  readonly temporalAddress?: string;
  readonly worker?: boolean;
  /** Another service's: it is that one's to drop. */
  readonly database?: TestDatabase;
  /** Whose tokens are trusted, in place of the built-in accounts'. */
  readonly sessions?: Sessions;
  /** Stands between a run and the world: to lose an answer that was already given, say. */
  readonly around?: (real: ReportActivities) => ReportActivities;
}

const quickDeadlines: StageDeadlines = { opinions: 8_000, cross_review: 8_000, synthesis: 8_000 };

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  quietRuntime();
  const address = options.temporalAddress ?? process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  const manifest = testManifest();
  const log = pino({ level: 'silent' });
  const database = options.database ?? (await createTestDatabase());
  const simulator = await startSimulator();
  const clock: TestClock = { offsetMs: 0 };
  const now = () => new Date(Date.now() + clock.offsetMs);
  const markets = options.markets ?? createSampleEventSource();
  const connection = Connection.lazy({ address });
  const temporal = new Client({ connection, namespace: manifest.namespace });
  const accounts = createAccounts({
    log,
    databaseUrl: database.url,
    baseUrl: 'http://127.0.0.1',
    secrets: [{ version: 1, value: randomBytes(32).toString('base64') }],
  });
  const deskOptions = {
    client: temporal,
    db: database.db,
    taskQueue: manifest.task_queue,
    simulated: true,
    terms: termsOf(manifest, options.stageDeadlinesMs ?? quickDeadlines),
    now,
    newId: randomUUID,
    onTrouble: () => undefined,
  };
  const served = await serve(
    {
      db: database.db,
      markets,
      desk: createTemporalReportDesk(deskOptions),
      ...(options.sessions ?? {
        accounts,
        sessions: createSessionVerifier({
          keys: accounts.keys,
          issuer: builtInIssuer,
          audience: builtInIssuer,
        }),
      }),
      simulated: true,
      readiness: readinessOf(database.db, temporal),
      now,
      newId: randomUUID,
      randomBytes,
      log,
    },
    '127.0.0.1',
    0,
  );
  const workers = workerControl({
    address,
    manifest,
    database,
    simulator,
    markets,
    now,
    around: options.around ?? (real => real),
  });
  if (options.worker !== false) await workers.start();
  return {
    url: served.url,
    database,
    simulator,
    temporal,
    clock,
    newDesk: () => createTemporalReportDesk(deskOptions),
    newCaller: credits => TestCaller.signUp(served.url, database.db, credits ?? 0),
    startWorker: workers.start,
    stopWorker: workers.stop,
    stop: async () => {
      await workers.stop();
      await served.close();
      await Promise.all([connection.close(), accounts.close(), simulator.close()]);
      if (options.database === undefined) await database.drop();
    },
  };
}

/** The project's own, on a queue of the test's own, and with shorter pauses between the attempts to refund. */
function testManifest(): TemporalManifest {
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const { refund } = manifest.policies;
  const patient = { ...refund, retry: { ...refund.retry, maximum_interval_ms: 200 } };
  return {
    ...manifest,
    task_queue: `test-${randomUUID()}`,
    policies: { ...manifest.policies, refund: patient },
  };
}

interface WorkerWorld {
  readonly address: string;
  readonly manifest: TemporalManifest;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly markets: EventSource;
  readonly now: () => Date;
  readonly around: (real: ReportActivities) => ReportActivities;
}

function workerControl(world: WorkerWorld) {
  let running: { worker: Worker; run: Promise<void>; connection: NativeConnection } | null = null;
  const key = 'test-provider-key';
  const keys = { openai: key, anthropic: key, google: key, xai: key };
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  return {
    start: async () => {
      const connection = await NativeConnection.connect({ address: world.address });
      const worker = await createWorker({
        connection,
        namespace: world.manifest.namespace,
        manifest: world.manifest,
        workflowBundle: { codePath: projectFiles.workflowBundle },
        activities: world.around(
          createReportActivities({
            db: world.database.db,
            markets: world.markets,
            providers: createProviders({ catalogue, keys, baseUrls: world.simulator.baseUrls }),
            catalogue,
            simulated: true,
            now: world.now,
          }),
        ),
      });
      running = { worker, run: worker.run(), connection };
    },
    stop: async () => {
      if (running === null) return;
      const { worker, run, connection } = running;
      running = null;
      worker.shutdown();
      await run;
      await connection.close();
    },
  };
}

function quietRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  } catch {
    // A second service in the same test file: the runtime is there already.
  }
}
