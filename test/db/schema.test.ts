import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from '@jest/globals';
import { useTestWorld } from './support/test-world.js';

const world = useTestWorld();

test('the generated types match the migrated database; after a migration, run `npm run tables`', async () => {
  const options = ['--config-file', 'db/schema/kysely-codegen.config.cjs', '--verify'];
  await promisify(execFile)('node_modules/.bin/kysely-codegen', options, {
    env: { ...process.env, DATABASE_URL: world.ownerUrl },
  });
});
