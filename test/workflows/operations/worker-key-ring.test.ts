import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EncryptionKey, formatKeyRing } from '../../../config/keys/key-ring.js';
import { seal } from '../../../config/keys/seal.js';
import { openAccount } from '../../../db/accounts/accounts.js';
import { putProviderKey } from '../../../db/accounts/provider-keys.js';
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

/** Starts a process of the service with this ring, and ends it as soon as it says that it is up. */
function start(
  module: string,
  ring: readonly EncryptionKey[],
  up: RegExp,
): Promise<{ code: number | null; said: string }> {
  const child = spawn('node', [module], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
      ENCRYPTION_KEYS: formatKeyRing(ring),
    },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (up.test(said)) child.kill('SIGTERM');
  });
  return new Promise(resolve => child.once('close', code => resolve({ code, said })));
}

const worker = (ring: readonly EncryptionKey[]) =>
  start('dist/activities/worker.js', ring, /the worker is ready/);

describe('a ring that lacks what a stored key was sealed with', () => {
  test('keeps the worker from starting, and says which is missing and what to do', async () => {
    const { code, said } = await worker([newer]);
    expect(code).toBe(1);
    expect(said).toContain('sealed with \\"older\\", which this worker\'s ENCRYPTION_KEYS does not have');
    expect(said).toContain('provider-keys rotate');
    expect(said).not.toContain('the worker is ready');
    expect(said).not.toContain('canary');
  });

  test('does not keep the API from starting', async () => {
    const { code, said } = await start('dist/api/main.js', [newer], /the API is listening/);
    expect(code).toBe(0);
    expect(said).toContain('the API is listening');
  });
});

test('a ring that has it, first or not, lets the worker start', async () => {
  const { code, said } = await worker([newer, older]);
  expect(said).toContain('the worker is ready');
  expect(code).toBe(0);
});
