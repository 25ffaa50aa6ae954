import { fileURLToPath } from 'node:url';
import { embeddedTemporalFlag } from '../../config/lifetime.js';
import { projectFiles } from '../../config/project-files.js';
import type { Settings } from '../../config/settings.js';
import { applyNamespace } from '../../config/temporal/apply-namespace.js';
import { readTemporalManifest } from '../../config/temporal/manifest.js';
import { migrate } from '../../db/migrate.js';
import { lockHome } from '../../embedded/home-lock.js';
import { type EmbeddedServices, startEmbedded } from '../../embedded/start-embedded.js';
import { choosePort } from '../../net/free-port.js';
import { withDatabase } from '../connections/with-database.js';
import { embeddedTemporal, withTemporal } from '../connections/with-temporal.js';
import { describeService, firstStart } from './first-start.js';
import { clearRunning, recordRunning } from './running-service.js';
import { type Supervised, supervise } from './supervise.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Called whenever API and worker are started, also after a crash of a service. For `npm run dev`. */
export type OnProcesses = (processes: { readonly api: Supervised; readonly worker: Supervised }) => void;

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
  onProcesses: OnProcesses = () => undefined,
): Promise<void> {
  const lock = await lockHome(settings.COUNCIL_HOME);
  try {
    for (;;) {
      const begunAt = Date.now();
      const end = await runOnce(settings, env, shutdown, onProcesses);
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

/**
 * How long API and worker may take to end after an embedded service has died. A worker does not end while a local
 * activity of a run is retried, and that is retried until the database is back.
 */
const crashGraceMs = 3_000;

/** @returns why it ended: because it was asked to, or the sentence with which a service died. */
async function runOnce(
  settings: Settings,
  env: Environment,
  shutdown: AbortSignal,
  onProcesses: OnProcesses,
): Promise<string> {
  const services = await startServices(settings, env, shutdown);
  try {
    await applyRetention(services, namespaceOf(env));
    const environment = await processEnvironment(settings, env, services);
    return await runProcesses(settings, environment, services, shutdown, onProcesses);
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
  return {
    ...env,
    PORT: String(port),
    DATABASE_URL: settings.DATABASE_URL ?? services.databaseUrl,
    TEMPORAL_ADDRESS: settings.TEMPORAL_ADDRESS ?? services.temporalAddress,
  };
}

async function runProcesses(
  settings: Settings,
  env: Record<string, string | undefined>,
  services: EmbeddedServices,
  shutdown: AbortSignal,
  onProcesses: OnProcesses,
): Promise<string> {
  const databaseUrl = env['DATABASE_URL'] ?? '';
  const migrated = await withDatabase(databaseUrl, migrate);
  if (migrated.length > 0) print(`Database: ran ${migrated.length} migrations.`);
  const workerEnv = { ...env, PORT: undefined };
  const [api, worker] = [
    child(
      'API',
      '../../api/main.js',
      env,
      services.temporalAddress === undefined ? [] : [embeddedTemporalFlag],
    ),
    child('worker', '../../activities/worker.js', workerEnv),
  ];
  const processes = [api, worker];
  onProcesses({ api, worker });
  const ended = Promise.race([aborted(shutdown).then(() => 'shutdown'), services.ended]);
  let graceMs: number | undefined = crashGraceMs;
  try {
    const ready = await Promise.race([Promise.all(processes.map(each => each.ready)), ended]);
    if (typeof ready === 'string') return ready;
    const [url = '', simulator = ''] = ready;
    const temporalAddress = env['TEMPORAL_ADDRESS'] ?? null;
    recordRunning(settings.COUNCIL_HOME, { databaseUrl, url, temporalAddress });
    const demo = await firstStart({ settings, databaseUrl, url });
    print(describeService({ settings, url, uiUrl: services.uiUrl, simulator, demo }));
    const end = await ended;
    if (end === 'shutdown') {
      graceMs = undefined;
      print('Ending: the worker finishes the calls it has begun.');
    }
    return end;
  } finally {
    clearRunning(settings.COUNCIL_HOME);
    for (const each of processes) await each.end(graceMs);
  }
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
