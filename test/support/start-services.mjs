import { execFileSync, fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * Before the first test of the `services` and `processes` tiers: compiles what changed, and starts the shared
 * services. In watch mode the services keep running between runs; new migrations are applied.
 */
export default async function startServices() {
  if (process.env.IS_BUILT !== 'yes') run('npm', ['run', '--silent', 'build']);
  const running = globalThis.councilTestServices;
  if (running !== undefined) {
    run('node', ['dist/cli/migrate.js'], { DATABASE_URL: process.env.TEST_DATABASE_URL });
    return;
  }
  const child = fork(join(import.meta.dirname, 'shared-services.mjs'), { env: withoutJest(), execArgv: [] });
  globalThis.councilTestServices = child;
  const started = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', code => reject(new Error(`the shared test services ended with ${code}`)));
  });
  if (started.error !== undefined) throw new Error(started.error);
  process.env.TEST_DATABASE_URL = started.ownerDatabaseUrl;
  process.env.TEST_SERVICE_DATABASE_URL = started.databaseUrl;
  process.env.TEST_TEMPORAL_ADDRESS = started.temporalAddress;
}

function run(command, args, env = {}) {
  execFileSync(command, args, { env: { ...withoutJest(), ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Node options of Jest do not apply to other programs. */
function withoutJest() {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}
