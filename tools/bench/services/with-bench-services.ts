import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Connections, connect } from '../../../db/database.js';
import { migrate } from '../../../db/migrate.js';
import { findProcesses } from '../../../platform/embedded/process/processes.js';
import { startEmbedded } from '../../../platform/embedded/start-embedded.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readTemporalManifest, type TemporalManifest } from '../../../platform/temporal/manifest.js';
import { parentOf } from '../results/process-usage.js';

export interface BenchServices {
  readonly database: Connections;
  readonly manifest: TemporalManifest;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly pids: { readonly postgres: number; readonly temporal: number };
  /** Folder for the logs of all processes. */
  readonly logFolder: string;
  /** Environment for processes of the service. */
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a new database and Temporal server for one measurement, as `npm start` does. */
export async function withBenchServices<Result>(
  env: NodeJS.ProcessEnv,
  measure: (services: BenchServices) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'council-bench-'));
  // As root, the database runs as another user, who needs access.
  await chmod(home, 0o711);
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const { namespace, embedded_server } = manifest;
  const services = await startEmbedded({
    home,
    wantPostgres: true,
    wantTemporal: true,
    temporal: { env, namespace, flags: embedded_server.flags },
    log: () => undefined,
  });
  const { databaseUrl = '', ownerDatabaseUrl = '', temporalAddress = '' } = services;
  const database = connect(ownerDatabaseUrl, () => undefined);
  const end = async () => {
    await services.stop();
    await rm(home, { recursive: true, force: true });
  };
  // The servers have their own process groups, so Ctrl-C does not reach them.
  const interrupted = () => void end().finally(() => process.exit(130));
  for (const signal of signals) process.once(signal, interrupted);
  try {
    await migrate(ownerDatabaseUrl);
    return await measure({
      database,
      manifest,
      databaseUrl,
      temporalAddress,
      pids: await findServers(database, home),
      logFolder: join(home, 'logs'),
      env: {
        // Nothing else is inherited: the caller's keys and addresses must not affect a measurement.
        PATH: env['PATH'],
        HOME: env['HOME'],
        COUNCIL_HOME: home,
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporalAddress,
        COUNCIL_PROVIDERS: 'simulated',
        MARKETS: 'sample',
      },
    });
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
    await database.close();
    await end();
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function findServers({ db }: Connections, home: string): Promise<BenchServices['pids']> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const [temporal = 0] = await findProcesses(line =>
    line.includes(` server start-dev --db-filename=${home}/`),
  );
  return { postgres: parentOf(rows[0]?.pid ?? 0), temporal };
}
