import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccount } from '../../../db/accounts/accounts.js';
import { putProviderKey } from '../../../db/accounts/provider-keys.js';
import { type EncryptionKey, formatKeyRing } from '../../../platform/keys/key-ring.js';
import { seal } from '../../../platform/keys/seal.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';

const older: EncryptionKey = { kid: 'older', key: randomBytes(32) };
const newer: EncryptionKey = { kid: 'newer', key: randomBytes(32) };
const secret = 'sk-canary-0123456789';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const subject = randomUUID();
  const { id } = await openAccount(database.db, { issuer: 'test', subject, email: null, newId: subject });
  const place = { keyId: randomUUID(), accountId: id, provider: 'openai' } as const;
  await putProviderKey(database.db, {
    id: place.keyId,
    ...place,
    sealed: seal([older], secret, place, randomBytes),
    last4: '6789',
    now: new Date(),
  });
});
afterAll(() => database.drop());

/** Starts a process of the service with this key ring, and stops it when it logs that it is up. */
function start(
  module: string,
  ring: readonly EncryptionKey[],
  up: RegExp,
): Promise<{ code: number | null; output: string }> {
  const child = spawn('node', [module], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
      ENCRYPTION_KEYS: formatKeyRing(ring),
    },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (up.test(output)) child.kill('SIGTERM');
  });
  return new Promise(resolve => child.once('close', code => resolve({ code, output })));
}

const worker = (ring: readonly EncryptionKey[]) =>
  start('dist/activities/worker.js', ring, /the worker is ready/);

describe('a key ring without the key that a stored provider key is encrypted with', () => {
  test('stops the worker from starting, with an error that names the key and what to do', async () => {
    const { code, output } = await worker([newer]);
    expect(code).toBe(1);
    expect(output).toContain('sealed with \\"older\\", which this worker\'s ENCRYPTION_KEYS does not have');
    expect(output).toContain('provider-keys rotate');
    expect(output).not.toContain('the worker is ready');
    expect(output).not.toContain('canary');
  });

  test('does not stop the API from starting', async () => {
    const { code, output } = await start('dist/api/main.js', [newer], /the API is listening/);
    expect(code).toBe(0);
    expect(output).toContain('the API is listening');
  });
});

test('a worker starts with a key ring that contains that key, first or not', async () => {
  const { code, output } = await worker([newer, older]);
  expect(output).toContain('the worker is ready');
  expect(code).toBe(0);
});
