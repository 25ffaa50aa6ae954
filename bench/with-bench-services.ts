import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../cli/embedded/start-embedded.js';
import { projectFiles } from '../config/project-files.js';
import { readTemporalManifest, type TemporalManifest } from '../config/temporal-manifest.js';
import { type Connections, connect } from '../db/database.js';
import { migrate } from '../db/migrate.js';

export interface BenchServices {
  readonly database: Connections;
  readonly manifest: TemporalManifest;
  readonly temporalAddress: string;
  /** What a process of the service is told. */
  readonly env: NodeJS.ProcessEnv;
}

/** A new database and a new Temporal server, for one measurement, as `npm start` would have them. */
export async function withBenchServices<Result>(
  env: NodeJS.ProcessEnv,
  measure: (services: BenchServices) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'council-bench-'));
  // The database runs as another user where this one is root.
  await chmod(home, 0o711);
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const { namespace, embedded_server } = manifest;
  const services = await startEmbedded({
    home,
    wantPostgres: true,
    wantTemporal: true,
    temporal: { env, namespace, flags: embedded_server.flags },
    log: line => console.error(line),
  });
  const { databaseUrl = '', temporalAddress = '' } = services;
  const database = connect(databaseUrl, () => undefined);
  try {
    await migrate(database.db);
    return await measure({
      database,
      manifest,
      temporalAddress,
      env: {
        ...env,
        COUNCIL_HOME: home,
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporalAddress,
        COUNCIL_PROVIDERS: 'simulated',
        MARKETS: 'sample',
      },
    });
  } finally {
    await database.close();
    await services.stop();
    await rm(home, { recursive: true, force: true });
  }
}
