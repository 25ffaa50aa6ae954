import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../dist/db/migrate.js';
import { startEmbedded } from '../../dist/platform/embedded/start-embedded.js';

/** Writes `db/schema/tables.ts` from a new database with all migrations applied. `--verify` only compares. */
const home = await mkdtemp(join(tmpdir(), 'council-tables-'));
// When run as root, the database runs as another user.
await chmod(home, 0o711);
const services = await startEmbedded({
  home,
  wantPostgres: true,
  durable: false,
  wantTemporal: false,
  temporal: { env: process.env, namespace: 'unused', flags: [] },
  log: line => process.stderr.write(`${line}\n`),
});
try {
  await migrate(services.ownerDatabaseUrl);
  execFileSync(
    'npx',
    ['kysely-codegen', '--config-file', 'db/schema/kysely-codegen.config.cjs', ...process.argv.slice(2)],
    { env: { ...process.env, DATABASE_URL: services.ownerDatabaseUrl }, stdio: 'inherit' },
  );
} finally {
  await services.stop();
  await rm(home, { recursive: true, force: true });
}
