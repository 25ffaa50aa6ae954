import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { migrate } from '../../dist/db/migrate.js';
import { startEmbedded } from '../../dist/platform/embedded/start-embedded.js';
import { projectFiles } from '../../dist/platform/settings/project-files.js';
import { applySearchAttributes } from '../../dist/platform/temporal/apply-namespace.js';
import { readTemporalManifest } from '../../dist/platform/temporal/manifest.js';

/**
 * One real PostgreSQL and one real Temporal server for all tests. Each test file creates a database, copied
 * from the migrated one, and uses task queues with names of its own.
 *
 * Runs as a child process of Jest and stops the services when Jest disconnects, even if Jest was killed.
 */
const home = await mkdtemp(join(tmpdir(), 'council-test-'));
// When the tests run as root, the database runs as another user.
await chmod(home, 0o711);
const manifest = readTemporalManifest(projectFiles.temporalManifest);
const stopping = new AbortController();
let services;

async function stop() {
  stopping.abort();
  await services?.stop();
  await rm(home, { recursive: true, force: true });
  process.exit(0);
}

process.once('disconnect', () => void stop());
// Jest's own process receives Ctrl-C as well, and disconnects when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

try {
  services = await startEmbedded({
    home,
    wantPostgres: true,
    durable: false,
    wantTemporal: true,
    // Any free ports: `npm start` of another program, such as the fuzzer, may take the default ports at the same moment.
    temporal: {
      env: process.env,
      port: 0,
      uiPort: 0,
      namespace: manifest.namespace,
      flags: manifest.embedded_server.flags,
    },
    log: line => process.stderr.write(`${line}\n`),
    signal: stopping.signal,
  });
  await migrate(services.ownerDatabaseUrl);
  const connection = await NativeConnection.connect({ address: services.temporalAddress });
  // No maintenance workflows: a test runs each round itself.
  await applySearchAttributes({ connection, namespace: manifest.namespace, manifest });
  await connection.close();
  const { ownerDatabaseUrl, databaseUrl, temporalAddress } = services;
  process.send({ ownerDatabaseUrl, databaseUrl, temporalAddress });
} catch (error) {
  process.send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  await stop();
}
