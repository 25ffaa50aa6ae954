import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { projectFiles } from '../../dist/config/project-files.js';
import { applySearchAttributes } from '../../dist/config/temporal/apply-namespace.js';
import { readTemporalManifest } from '../../dist/config/temporal/manifest.js';
import { connect } from '../../dist/db/database.js';
import { migrate } from '../../dist/db/migrate.js';
import { startEmbedded } from '../../dist/embedded/start-embedded.js';

/**
 * One real PostgreSQL and one real Temporal server for the whole test run. Each test file takes a database of its
 * own, copied from the migrated one, and task queues of its own.
 */
export default async function startServices() {
  const home = await mkdtemp(join(tmpdir(), 'council-test-'));
  // The database runs as another user where the tests run as root.
  await chmod(home, 0o711);
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const services = await startEmbedded({
    home,
    wantPostgres: true,
    durable: false,
    wantTemporal: true,
    temporal: {
      env: process.env,
      namespace: manifest.namespace,
      flags: manifest.embedded_server.flags,
    },
    log: line => process.stderr.write(`${line}\n`),
  });
  globalThis.stopCouncilTestServices = async () => {
    await services.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await prepare(services, manifest);
  } catch (error) {
    await globalThis.stopCouncilTestServices();
    throw error;
  }
  process.env.TEST_DATABASE_URL = services.databaseUrl;
  process.env.TEST_TEMPORAL_ADDRESS = services.temporalAddress;
}

async function prepare(services, manifest) {
  const { db, close } = connect(services.databaseUrl, () => undefined);
  await migrate(db);
  await close();
  const connection = await NativeConnection.connect({ address: services.temporalAddress });
  // No maintenance workflows: a test runs each round itself.
  await applySearchAttributes({ connection, namespace: manifest.namespace, manifest });
  await connection.close();
}
