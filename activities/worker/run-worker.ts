import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { countKeysByKid } from '../../db/accounts/provider-keys.js';
import { readBatchFigures } from '../../db/batches/batch-figures.js';
import { connect, type Db } from '../../db/database.js';
import { readHouseToday } from '../../db/house/house-day.js';
import { readMoneyInFlight } from '../../db/ledger/money-in-flight.js';
import { isMigrated } from '../../db/migrate.js';
import { loadPairs } from '../../markets/pairs.js';
import { encryptionKeys } from '../../platform/keys/encryption-keys.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { choosePort } from '../../platform/net/free-port.js';
import { keepTrying, tellReady } from '../../platform/settings/lifetime.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { type Settings, salesPolicyOf } from '../../platform/settings/settings.js';
import { createMetrics } from '../../platform/telemetry/metrics.js';
import { type MetricsPage, metricsPage } from '../../platform/telemetry/metrics-page.js';
import { applyManifest } from '../../platform/temporal/apply-manifest.js';
import { grpcCompression, temporalAddress } from '../../platform/temporal/connection.js';
import {
  manifestFor,
  readTemporalManifest,
  type TemporalManifest,
} from '../../platform/temporal/manifest.js';
import {
  buildsWithoutWorkers,
  type VersionTarget,
  type WorkerVersion,
} from '../../platform/temporal/worker-versions.js';
import { missingAuthorityText } from '../../platform/timestamps/timestamp-authority.js';
import { checkModels } from '../../providers/check-models.js';
import { loadModelCatalogue, type ModelCatalogue } from '../../providers/model-catalogue.js';
import { type OpenProviders, openProviders } from '../../providers/open-providers.js';
import { createActivities } from './create-activities.js';
import { createWorkers, type Workers } from './create-workers.js';
import { openWebhooks } from './open-webhooks.js';
import { sealContinually } from './seal-continually.js';
import { serveHealth } from './serve-health.js';
import { installTemporalRuntime } from './temporal-runtime.js';

export interface WorkerLife {
  readonly log: Logger;
  /** Whether a time (Unix, in milliseconds) belongs to a start that is to be quiet; unset, none does. */
  readonly isStarting?: (atMs: number) => boolean;
  /** Resolves when the process is asked to end. */
  readonly asked: Promise<void>;
  /** Where `/healthz` and `/readyz` are served; null for nowhere. */
  readonly healthPort: number | null;
  /** Opens the models that are asked: those of the settings, unless told otherwise. */
  readonly openModels?: typeof openProviders;
  /** The workflow code; unset, that of this build. */
  readonly workflowBundle?: string;
  /** The pauses between the tries of a webhook, in seconds; unset, those of the contract. */
  readonly webhookPausesSeconds?: readonly number[];
}

/**
 * Works until asked to end, and then finishes what it has begun. Waits for database and Temporal for as long as
 * it takes: the order in which processes start does not matter.
 */
export async function runWorker(settings: Settings, life: WorkerLife): Promise<void> {
  const health = await serveHealth(settings.HOST, life.healthPort);
  const sdkAddress = life.healthPort === null ? null : `127.0.0.1:${await choosePort()}`;
  installTemporalRuntime(life.log, life.isStarting ?? (() => false), sdkAddress);
  const ready = await Promise.race([life.asked, prepareWorker(settings, life, sdkAddress)]);
  if (ready !== undefined) {
    health.ready(ready.metrics);
    tellReady({ ready: ready.simulatorUrl ?? '' });
    await ready.workers.runUntil(life.asked);
    await ready.close();
  }
  await health.close();
}

interface ReadyWorker {
  readonly workers: Workers;
  readonly simulatorUrl: string | null;
  readonly metrics: MetricsPage;
  readonly close: () => Promise<void>;
}

async function prepareWorker(
  settings: Settings,
  { log, openModels = openProviders, workflowBundle = projectFiles.workflowBundle, ...life }: WorkerLife,
  sdkAddress: string | null,
): Promise<ReadyWorker> {
  const metrics = createMetrics();
  const manifest = manifestFor(settings.MARKETS, readTemporalManifest(projectFiles.temporalManifest));
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const pairs = loadPairs(projectFiles.marketPairs);
  const { TEMPORAL_WORKER_BUILD_ID: buildId, WORKER_QUEUES: queues } = settings;
  const { database, keyRing } = await openStore(settings, log);
  const { connection, namespace } = await openTemporal(manifest, log);
  const open = await openModels(settings, catalogue);
  const { db } = database;
  const temporal = new Client({ connection, namespace });
  const stopping = abortedAfter(life.asked);
  const world = { settings, log, db, keyRing, manifest, catalogue, pairs, open, metrics, temporal, stopping };
  const webhooks = openWebhooks({ ...world, pausesSeconds: life.webhookPausesSeconds });
  const workers = await createWorkers({
    connection,
    namespace,
    manifest,
    workflowBundle: { codePath: workflowBundle },
    queues,
    version: versionOf(settings, manifest),
    activities: { ...createActivities(world), ...webhooks.activities },
  });
  log.info({ namespace, simulator: open.simulatorUrl, buildId, queues }, 'the worker is ready');
  if (open.simulatorUrl === null) warnOfSetUp(log, settings, open, catalogue);
  const stopSealing = sealContinually({ db, metrics, log });
  const stopHandingOver = webhooks.handOver();
  return {
    workers,
    simulatorUrl: open.simulatorUrl,
    metrics: metricsPage({
      metrics,
      readMoney: () => readMoneyInFlight(db, new Date()),
      readHouse: () => readHouseToday(db, { simulated: isSimulated(settings), now: new Date() }),
      readLostBuilds: () => readLostBuilds({ connection, namespace }, settings, manifest),
      readWebhooks: webhooks.figures,
      readBatches: () => readBatchFigures(db, new Date()),
      policy: salesPolicyOf(settings),
      sdkUrl: sdkAddress === null ? null : `http://${sdkAddress}/metrics`,
    }),
    close: () =>
      closeAfter(Promise.all([stopSealing(), stopHandingOver()]), [webhooks, connection, open, database]),
  };
}

function abortedAfter(asked: Promise<void>): AbortSignal {
  const stopping = new AbortController();
  void asked.then(() => stopping.abort());
  return stopping.signal;
}

/** What is sealed or handed over needs its connections until it has ended. */
async function closeAfter(
  end: Promise<unknown>,
  connections: readonly { readonly close: () => Promise<unknown> }[],
): Promise<void> {
  await end;
  await Promise.all(connections.map(each => each.close()));
}

/** Versioned only where a build id is given: runs of a version wait for workers of that version. */
function versionOf(settings: Settings, manifest: TemporalManifest): WorkerVersion | undefined {
  const buildId = settings.TEMPORAL_WORKER_BUILD_ID;
  if (buildId === undefined) return undefined;
  return { deploymentName: deploymentNameOf(settings, manifest), buildId };
}

function readLostBuilds(target: VersionTarget, settings: Settings, manifest: TemporalManifest) {
  const queue = { taskQueue: manifest.task_queue, now: Date.now() };
  return buildsWithoutWorkers(target, deploymentNameOf(settings, manifest), queue);
}

function deploymentNameOf({ TEMPORAL_DEPLOYMENT_NAME }: Settings, { versioning }: TemporalManifest): string {
  return TEMPORAL_DEPLOYMENT_NAME ?? versioning.deployment_name;
}

/** Temporal, once it is there, made what `temporal.yaml` describes. */
async function openTemporal(manifest: TemporalManifest, log: Logger) {
  const { connectionOptions, namespace } = temporalAddress(manifest);
  const connection = await keepTrying(
    async () => {
      const opened = await NativeConnection.connect({
        ...connectionOptions,
        grpcCompression: grpcCompression(connectionOptions.address),
      });
      await applyManifest(opened, namespace, manifest);
      return opened;
    },
    waitingFor(log, 'Temporal'),
  );
  return { connection, namespace };
}

function isSimulated({ COUNCIL_PROVIDERS }: Settings): boolean {
  return COUNCIL_PROVIDERS === 'simulated';
}

/** With live models only: nobody relies on simulated ones. */
function warnOfSetUp(log: Logger, settings: Settings, open: OpenProviders, catalogue: ModelCatalogue): void {
  const unproven = missingAuthorityText(settings);
  if (unproven !== null) log.warn(unproven);
  void warnOfModels(log, open.providers, catalogue);
}

/** Beside the work, not before it: a vendor that is away must keep no worker from starting. */
async function warnOfModels(log: Logger, providers: OpenProviders['providers'], catalogue: ModelCatalogue) {
  try {
    for (const unserved of await checkModels(providers, catalogue, new Date().toISOString())) {
      log.warn(unserved, 'this model will drop out of reports; `npm run council -- doctor` says more');
    }
  } catch (err) {
    log.error({ err }, 'the models could not be checked');
  }
}

/** The database, once it is there and migrated, and the ring that opens what is sealed in it. */
async function openStore(settings: Settings, log: Logger) {
  if (settings.DATABASE_URL === undefined)
    throw new Error('DATABASE_URL is needed; `npm start` brings its own.');
  const database = connect(settings.DATABASE_URL, err => log.warn({ err }, 'a database connection broke'));
  const keyRing = encryptionKeys(settings);
  const missing = await keepTrying(
    async () => {
      await demandMigrated(database.db);
      return missingKeyIds(database.db, keyRing);
    },
    waitingFor(log, 'the database'),
  );
  if (missing.length > 0) throw new Error(ringLacks(missing));
  return { database, keyRing };
}

/** Runs on those keys would be charged for, and fail: better no worker than this one. */
function ringLacks(kids: readonly string[]): string {
  const named = kids.map(kid => JSON.stringify(kid)).join(', ');
  return `Stored provider keys or webhook secrets were sealed with ${named}, which this worker's ENCRYPTION_KEYS does not have. Give it the ring of the API; a key may leave the ring once \`npm run council -- provider-keys rotate\` has run.`;
}

async function demandMigrated(db: Db): Promise<void> {
  if (!(await isMigrated(db))) throw new Error('the database is not migrated yet; `npm run migrate` does it');
}

function waitingFor(log: Logger, what: string): (error: unknown) => void {
  return error =>
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, `waiting for ${what}`);
}

/** The kids that stored keys were sealed with and the ring does not have: runs on those keys would fail. */
async function missingKeyIds(db: Db, ring: readonly EncryptionKey[]): Promise<readonly string[]> {
  const sealedWith = await countKeysByKid(db);
  return sealedWith.map(({ kid }) => kid).filter(kid => ring.every(key => key.kid !== kid));
}
