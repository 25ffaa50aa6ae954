import { fileURLToPath } from 'node:url';
import { lockHome } from '../../platform/embedded/home-lock.js';
import { type EmbeddedServices, startEmbedded } from '../../platform/embedded/start-embedded.js';
import { choosePort } from '../../platform/net/free-port.js';
import { embeddedTemporalFlag, loopbackMetricsFlag } from '../../platform/settings/lifetime.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { type Environment, publicUrlOf, type Settings } from '../../platform/settings/settings.js';
import { applyNamespace } from '../../platform/temporal/apply-namespace.js';
import { readTemporalManifest } from '../../platform/temporal/manifest.js';
import {
  buildsWithOpenRuns,
  setCurrentVersion,
  setUnversionedCurrent,
} from '../../platform/temporal/worker-versions.js';
import { migrateDatabase } from '../connections/with-database.js';
import {
  embeddedTemporal,
  type TemporalPlace,
  temporalPlace,
  withTemporal,
} from '../connections/with-temporal.js';
import { describeService, firstStart } from './first-start.js';
import { clearRunning, recordRunning } from './running-service.js';
import { type Supervised, supervise } from './supervise.js';
import { earlierBuilds, keepWorkflowBuild, type WorkflowBuild } from './workflow-builds.js';

export interface LaunchOptions {
  /** Called when API and workers are started, also after a crash of an embedded service. */
  readonly onProcesses?: (processes: LaunchedProcesses) => void;
  /**
   * `false`: one unversioned worker serves every new run. For `npm run dev`, which changes the workflows at any time.
   */
  readonly versioned?: boolean;
}

export interface LaunchedProcesses {
  readonly api: Supervised;
  readonly workers: readonly Supervised[];
}

const print = (line: string) => console.log(line);

/**
 * Starts PostgreSQL and Temporal unless they are configured, migrates, and starts the API and the worker as separate
 * processes, as in a deployment. On shutdown the API ends first, so that no new requests come in, then the worker,
 * which finishes the calls it has paid for, and the embedded services last. When an embedded service dies, everything
 * is started again: all state is in the two databases.
 */
export async function launch(
  settings: Settings,
  env: Environment,
  shutdown: AbortSignal,
  { onProcesses = () => undefined, versioned = true }: LaunchOptions = {},
): Promise<void> {
  const lock = await lockHome(settings.COUNCIL_HOME);
  try {
    for (;;) {
      const begunAt = Date.now();
      const end = await runOnce(settings, env, shutdown, { onProcesses, versioned });
      if (end === 'shutdown') return;
      if (Date.now() - begunAt < worthRestartingMs) throw new Error(end);
      print(`${end}. Starting everything again.`);
    }
  } finally {
    await lock.release();
  }
}

/** A service that dies sooner than this after a start would only die again. */
const worthRestartingMs = 15_000;

/** How long API and worker may take to end after an embedded service has died: they may be waiting for it. */
const crashGraceMs = 3_000;

/** @returns `shutdown`, or a sentence that says which service died and how */
async function runOnce(
  settings: Settings,
  env: Environment,
  shutdown: AbortSignal,
  options: Required<LaunchOptions>,
): Promise<string> {
  const services = await startServices(settings, env, shutdown);
  try {
    await applyRetention(services, namespaceOf(env));
    const environment = await processEnvironment(settings, env, services);
    return await runProcesses(settings, environment, services, shutdown, options);
  } finally {
    await services.stop();
  }
}

async function startServices(
  settings: Settings,
  env: Environment,
  shutdown: AbortSignal,
): Promise<EmbeddedServices> {
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const wantTemporal = settings.TEMPORAL_ADDRESS === undefined && env['TEMPORAL_PROFILE'] === undefined;
  return startEmbedded({
    home: settings.COUNCIL_HOME,
    wantPostgres: settings.DATABASE_URL === undefined,
    wantTemporal,
    temporal: {
      env,
      terminal: process.stderr,
      namespace: namespaceOf(env),
      uiPort: settings.TEMPORAL_UI_PORT,
      flags: manifest.embedded_server.flags,
    },
    log: print,
    signal: shutdown,
  });
}

function namespaceOf(env: Environment): string {
  return env['TEMPORAL_NAMESPACE'] ?? readTemporalManifest(projectFiles.temporalManifest).namespace;
}

/** The dev server deletes histories after a day by default; `temporal.yaml` sets the retention. */
async function applyRetention({ temporalAddress }: EmbeddedServices, namespace: string): Promise<void> {
  if (temporalAddress === undefined) return;
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  await withTemporal(embeddedTemporal(temporalAddress, namespace), ({ connection }) =>
    applyNamespace({ connection, namespace, manifest }),
  );
}

/** The environment of the API and the worker: ours, with the addresses of the embedded services. */
async function processEnvironment(
  settings: Settings,
  env: Environment,
  services: EmbeddedServices,
): Promise<Record<string, string | undefined>> {
  const port = await choosePort(settings.PORT, settings.HOST);
  if (port !== settings.PORT) print(`Port ${settings.PORT} is in use; the API uses ${port}.`);
  const metricsPort = await choosePort(settings.METRICS_PORT ?? usualMetricsPort, metricsHost(settings));
  return {
    ...env,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: settings.DATABASE_URL ?? services.databaseUrl,
    TEMPORAL_ADDRESS: settings.TEMPORAL_ADDRESS ?? services.temporalAddress,
  };
}

/** Which Prometheus' own programs and many others use. */
const usualMetricsPort = 9_464;

/** Where the API serves its metrics: unless the operator has set a port, only this machine can read them. */
function metricsHost({ METRICS_PORT, HOST }: Settings): string {
  return METRICS_PORT === undefined ? '127.0.0.1' : HOST;
}

async function runProcesses(
  settings: Settings,
  env: Record<string, string | undefined>,
  services: EmbeddedServices,
  shutdown: AbortSignal,
  options: Required<LaunchOptions>,
): Promise<string> {
  const databaseUrl = env['DATABASE_URL'] ?? '';
  await printMigrations(services.ownerDatabaseUrl ?? settings.DATABASE_DIRECT_URL ?? databaseUrl);
  const versions = await openVersions(settings, env, services, options);
  // Before the API answers: a command that follows its first answer must find the database.
  recordRunning(settings.COUNCIL_HOME, {
    databaseUrl,
    url: `http://${settings.HOST}:${env['PORT']}`,
    temporalAddress: env['TEMPORAL_ADDRESS'] ?? null,
  });
  const api = child('API', '../../api/main.js', env, [
    ...(services.temporalAddress === undefined ? [] : [embeddedTemporalFlag]),
    ...(settings.METRICS_PORT === undefined ? [loopbackMetricsFlag] : []),
  ]);
  const [worker, ...earlierWorkers] = startWorkers(settings, env, versions);
  const workers = [worker, ...earlierWorkers];
  const processes = [api, ...workers];
  options.onProcesses({ api, workers });
  for (const { ready } of earlierWorkers) ready.catch((error: unknown) => print(String(error)));
  const ended = Promise.race([aborted(shutdown).then(() => 'shutdown'), services.ended]);
  let graceMs: number | undefined = crashGraceMs;
  try {
    const ready = Promise.all([api.ready, worker.ready]).then(async urls => {
      await versions?.setCurrent();
      return urls;
    });
    const readyOrEnd = await Promise.race([ready, ended]);
    if (typeof readyOrEnd === 'string') return readyOrEnd;
    const [url, simulator] = readyOrEnd;
    const temporal = () => placeOfTemporal(settings, env);
    const demo = await firstStart({ settings, databaseUrl, temporal, url });
    const metricsUrl = `http://${metricsHost(settings)}:${env['METRICS_PORT']}/metrics`;
    print(describeService({ settings, url, uiUrl: services.uiUrl, metricsUrl, simulator, demo }));
    for (const each of processes) each.started();
    const end = await ended;
    if (end === 'shutdown') {
      graceMs = undefined;
      print('Stopping: the worker finishes the calls in progress.');
    }
    return end;
  } finally {
    clearRunning(settings.COUNCIL_HOME);
    for (const each of processes) await each.end(graceMs);
  }
}

async function printMigrations(ownerDatabaseUrl: string): Promise<void> {
  const ran = await migrateDatabase(ownerDatabaseUrl);
  if (ran.length > 0) print(`Database: ran ${ran.length} migrations.`);
}

/** The server of the API and the worker, which `recordRunning` has noted. */
function placeOfTemporal(settings: Settings, env: Environment): TemporalPlace {
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  return temporalPlace(manifest, settings, env);
}

/** The builds whose workers run here, and how the present one becomes current. */
interface LaunchedVersions {
  readonly current: WorkflowBuild;
  readonly earlier: readonly WorkflowBuild[];
  readonly setCurrent: () => Promise<void>;
}

/**
 * On the embedded server the launcher versions its workers. Null on a server of the operator's, where a deploy sets the
 * current version: a launcher that started late would roll it back.
 */
async function openVersions(
  settings: Settings,
  env: Environment,
  { temporalAddress }: EmbeddedServices,
  { versioned }: Required<LaunchOptions>,
): Promise<LaunchedVersions | null> {
  if (temporalAddress === undefined) return null;
  const namespace = namespaceOf(env);
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const { deployment_name: deploymentName } = manifest.versioning;
  const place = embeddedTemporal(temporalAddress, namespace);
  if (!versioned) {
    await withTemporal(place, ({ connection }) =>
      setUnversionedCurrent({ connection, namespace }, deploymentName),
    );
    return null;
  }
  const current = keepWorkflowBuild(settings.COUNCIL_HOME);
  const inUse = await withTemporal(place, ({ connection }) =>
    buildsWithOpenRuns({ connection, namespace }, deploymentName),
  );
  return {
    current,
    earlier: earlierBuilds(settings.COUNCIL_HOME, current, inUse, print),
    setCurrent: () =>
      withTemporal(place, ({ connection }) =>
        setCurrentVersion({ connection, namespace }, { deploymentName, buildId: current.buildId }, manifest),
      ),
  };
}

/**
 * The worker of the present build, and one for each earlier build that still has open runs. The service starts without
 * the latter: an earlier build that no longer starts must not stop new reports. `PORT` would be that of their health; links
 * in their mail need the address of the API.
 */
function startWorkers(
  settings: Settings,
  env: Environment,
  versions: LaunchedVersions | null,
): [Supervised, ...Supervised[]] {
  const publicUrl = publicUrlOf({ ...settings, PORT: Number(env['PORT']) });
  const workerEnv = { ...env, PORT: undefined, PUBLIC_URL: publicUrl };
  const module = '../../activities/worker.js';
  if (versions === null) return [child('worker', module, workerEnv)];
  const worker = (name: string, { buildId, bundle }: WorkflowBuild) =>
    child(
      name,
      module,
      { ...workerEnv, TEMPORAL_DEPLOYMENT_NAME: undefined, TEMPORAL_WORKER_BUILD_ID: buildId },
      ['--workflow-bundle', bundle],
    );
  return [
    worker('worker', versions.current),
    ...versions.earlier.map(build => worker(`worker of build ${build.buildId}`, build)),
  ];
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function child(
  name: string,
  module: string,
  env: Record<string, string | undefined>,
  args: readonly string[] = [],
): Supervised {
  return supervise({ name, module: fileURLToPath(new URL(module, import.meta.url)), args, env, log: print });
}
