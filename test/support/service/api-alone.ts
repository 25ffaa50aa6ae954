import { createServer } from 'node:net';
import { afterAll } from '@jest/globals';
import { pino } from 'pino';
import { runApi } from '../../../api/server/run-api.js';
import type { Served } from '../../../api/server/serve.js';
import { readSettings } from '../../../platform/settings/settings.js';

/** An API process whose database and Temporal cannot be reached, for all tests of a file. */
export async function useApiAlone(): Promise<Served> {
  const environment = { ...process.env };
  process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${await deadPort()}`;
  const settings = readSettings({
    PORT: '0',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    COUNCIL_PROVIDERS: 'simulated',
    DATABASE_URL: `postgres://secret-user:secret-word@127.0.0.1:${await deadPort()}/council`,
  });
  const api = await runApi(settings, pino({ level: 'silent' }), {
    isEmbedded: false,
    metricsOnLoopback: false,
  });
  afterAll(async () => {
    process.env = environment;
    await api.close();
  });
  return api;
}

/** A port of this machine on which nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
