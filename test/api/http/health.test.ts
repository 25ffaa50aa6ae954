import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { runApi } from '../../../api/server/run-api.js';
import type { Served } from '../../../api/server/serve.js';
import { readSettings } from '../../../platform/settings/settings.js';
import { makeApiKey } from '../../../purchase/api-key.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';

/** A port of this machine on which nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const json = { 'content-type': 'application/json' };

describe('with neither database nor Temporal', () => {
  let api: Served;
  const environment = { ...process.env };

  beforeAll(async () => {
    process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${await deadPort()}`;
    const settings = readSettings({
      PORT: '0',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      COUNCIL_PROVIDERS: 'simulated',
      DATABASE_URL: `postgres://secret-user:secret-word@127.0.0.1:${await deadPort()}/council`,
    });
    api = await runApi(settings, pino({ level: 'silent' }), {
      isEmbedded: false,
      metricsOnLoopback: false,
    });
  });

  afterAll(async () => {
    process.env = environment;
    await api.close();
  });

  test('the process starts, is alive, and readiness names the missing parts', async () => {
    expect((await send(`${api.url}/healthz`)).status).toBe(200);
    const ready = await send(`${api.url}/readyz`);
    expectProblem(ready, 'unavailable');
    expect(ready.body.checks).toEqual({
      database: expect.stringMatching(/\S/),
      temporal: expect.stringMatching(/\S/),
    });
    expect(JSON.stringify(ready.body)).not.toMatch(/secret|127\.0\.0\.1/);
  });

  test('routes without a database work, and the others return unavailable', async () => {
    expect((await send(`${api.url}/api/events?search=federal`)).status).toBe(200);
    const key = { 'x-api-key': makeApiKey(count => crypto.getRandomValues(new Uint8Array(count))) };
    const session = { authorization: 'Bearer eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.e30.c2ln' };
    const signIn = JSON.stringify({ email: 'a@example.test', password: 'correct horse battery' });
    const answers = await Promise.all([
      send(`${api.url}/api/credits/pricing`),
      send(`${api.url}/api/credits/balance`, { headers: key }),
      send(`${api.url}/api/credits/balance`, { headers: session }),
      send(`${api.url}/api/keys`, { headers: session }),
      send(`${api.url}/api/reports/1`, { headers: key }),
      send(`${api.url}/api/reports`, {
        method: 'POST',
        headers: { ...json, ...key },
        body: '{"event_id":"sample-fed-cut-2031"}',
      }),
      send(`${api.url}/api/auth/sign-in/email`, { method: 'POST', headers: json, body: signIn }),
      send(`${api.url}/api/auth/jwks`),
    ]);
    for (const answer of answers) {
      expectProblem(answer, 'unavailable');
      expect(JSON.stringify(answer.body)).not.toMatch(/secret|127\.0\.0\.1/);
    }
    expectProblem(await send(`${api.url}/api/credits/balance`), 'unauthenticated');
    expectProblem(await send(`${api.url}/api/nothing`), 'not_found');
  });
});
