import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connections, connect } from '../../../db/database.js';
import { migrate } from '../../../db/migrate.js';
import { startEmbedded } from '../../../platform/embedded/start-embedded.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readTemporalManifest, type TemporalManifest } from '../../../platform/temporal/manifest.js';
import { findServerProcesses, type ServerProcesses } from '../results/server-processes.js';
import { borrowServers, type Servers } from './borrow-servers.js';
import { readServers } from './read-servers.js';

export interface BenchServices extends Pick<Servers, 'databaseUrl' | 'temporalAddress' | 'isEmbedded'> {
  readonly database: Connections;
  /** With the namespace of this measurement. */
  readonly manifest: TemporalManifest;
  readonly servers: ServerProcesses;
  /** Folder for the logs of all processes. */
  readonly logFolder: string;
  /** Environment for processes of the service. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Gives one measurement an empty database and a namespace: on the servers that the environment names, or else on new ones
 * that it starts as `npm start` does.
 */
export async function withBenchServices<Result>(
  env: NodeJS.ProcessEnv,
  measure: (services: BenchServices) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'council-bench-'));
  // As root, the database runs as another user, who needs access.
  await chmod(home, 0o711);
  const removeHome = () => rm(home, { recursive: true, force: true });
  const servers = await openServers(env, home).catch(async (error: unknown) => {
    await removeHome();
    throw error;
  });
  const database = connect(servers.ownerDatabaseUrl, () => undefined);
  const end = endOnce(async () => {
    await database.close();
    try {
      await servers.end();
    } finally {
      await removeHome();
    }
  });
  try {
    await migrate(servers.ownerDatabaseUrl);
    const result = await measure(await servicesOf(env, home, servers, database));
    await end();
    return result;
  } catch (error) {
    // What failed first says more than what then could not be ended.
    await end().catch(() => undefined);
    throw error;
  }
}

function openServers(env: NodeJS.ProcessEnv, home: string): Promise<Servers> {
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const named = readServers(env);
  return named === null ? startServers(env, home, manifest) : borrowServers(named, manifest);
}

async function startServers(
  env: NodeJS.ProcessEnv,
  home: string,
  { namespace, embedded_server }: TemporalManifest,
): Promise<Servers> {
  const services = await startEmbedded({
    home,
    wantPostgres: true,
    wantTemporal: true,
    temporal: { env, namespace, flags: embedded_server.flags },
    log: () => undefined,
  });
  const { databaseUrl = '', ownerDatabaseUrl = '', temporalAddress = '', stop } = services;
  return { databaseUrl, ownerDatabaseUrl, temporalAddress, namespace, isEmbedded: true, end: stop };
}

async function servicesOf(
  env: NodeJS.ProcessEnv,
  home: string,
  { databaseUrl, temporalAddress, namespace, isEmbedded }: Servers,
  database: Connections,
): Promise<BenchServices> {
  const logFolder = join(home, 'logs');
  await mkdir(logFolder, { recursive: true });
  return {
    database,
    manifest: { ...readTemporalManifest(projectFiles.temporalManifest), namespace },
    databaseUrl,
    temporalAddress,
    isEmbedded,
    servers: await findServerProcesses(database.db, temporalAddress),
    logFolder,
    env: {
      // Nothing else is inherited: the caller's keys and addresses must not affect a measurement.
      PATH: env['PATH'],
      HOME: env['HOME'],
      COUNCIL_HOME: home,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: namespace,
      COUNCIL_PROVIDERS: 'simulated',
      MARKETS: 'sample',
    },
  };
}

/** What is to be ended when the bench is interrupted: the servers have their own process groups, so Ctrl-C does not reach them. */
const open = new Set<() => Promise<void>>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function endOnce(work: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= work().finally(() => {
      open.delete(end);
      if (open.size === 0) for (const signal of signals) process.off(signal, endAll);
    });
    return ended;
  };
  if (open.size === 0) for (const signal of signals) process.once(signal, endAll);
  open.add(end);
  return end;
}

function endAll(): void {
  void Promise.allSettled([...open].map(end => end())).finally(() => process.exit(130));
}
