import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { runApi } from '../../../api/server/run-api.js';
import type { Served } from '../../../api/server/serve.js';
import { readSettings } from '../../../platform/settings/settings.js';
import { makeApiKey } from '../../../purchase/api-key.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { send } from '../../support/service/send.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

/** A port of this machine on which nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const json = { 'content-type': 'application/json' };

describe('with all dependencies available', () => {
  test('the process is alive and ready', async () => {
    const service = await startTestService({ worker: false });
    try {
      expect(await send(`${service.url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await send(`${service.url}/readyz`)).toMatchObject({
        status: 200,
        body: { status: 'ready', checks: { database: null, temporal: null } },
      });
    } finally {
      await service.stop();
    }
  });
});

describe('without Temporal', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ temporalAddress: `127.0.0.1:${await deadPort()}`, worker: false });
  });

  afterAll(() => service.stop());

  test('the process is alive, and readiness names the missing part', async () => {
    expect((await send(`${service.url}/healthz`)).status).toBe(200);
    const ready = await send(`${service.url}/readyz`);
    expectProblem(ready, 'unavailable');
    expect(ready.body.checks).toEqual({ database: null, temporal: expect.stringMatching(/\S/) });
  });

  test('a fresh report is refused within seconds, and nothing is ever charged', async () => {
    const caller = await service.newCaller(1_000);
    const before = await footprint(service);
    const begun = performance.now();
    const answers = await Promise.all([
      caller.buy('sample-fed-cut-2031', {}, { 'idempotency-key': 'kept' }),
      caller.buy('sample-fed-cut-2031', { quoted_credits: 120 }),
      caller.buy('sample-bitcoin-high-2031'),
    ]);
    expect(performance.now() - begun).toBeLessThan(6_000);
    for (const answer of answers) expectProblem(answer, 'unavailable');
    expect(await caller.balance()).toBe(1_000);
    expect(await footprint(service)).toEqual(before);
    expect((await caller.get('/api/reports')).body.total).toBe(0);

    const back = await startTestService({ database: service.database });
    try {
      const events = ['sample-fed-cut-2031', 'sample-bitcoin-high-2031'];
      for (const eventId of events) expect(await hasWorkflow(back, caller.accountId, eventId)).toBe(false);
      const { body } = await send(`${back.url}/api/reports`, {
        method: 'POST',
        headers: { ...json, 'x-api-key': caller.key, 'idempotency-key': 'kept' },
        body: '{"event_id":"sample-fed-cut-2031"}',
      });
      expect(body).toMatchObject({ status: 'pending', credits_spent: 120 });
      await caller.untilEnded(body.report_id);
      expect((await caller.ledger()).map(({ kind }) => kind)).toEqual(['charge', 'grant']);
    } finally {
      await back.stop();
    }
  });

  test('everything without a run still works: reading, owned and cached reports, refusals', async () => {
    const owner = await service.newCaller(1_000);
    const back = await startTestService({ database: service.database });
    let reportId = 0;
    try {
      const { body } = await send(`${back.url}/api/reports`, {
        method: 'POST',
        headers: { ...json, 'x-api-key': owner.key },
        body: '{"event_id":"sample-ridge-derby-2031"}',
      });
      reportId = body.report_id;
      expect(await owner.untilEnded(reportId)).toMatchObject({ status: 'completed' });
    } finally {
      await back.stop();
    }
    expect((await owner.get(`/api/reports/${reportId}`)).body).toMatchObject({ status: 'completed' });
    expect((await owner.get('/api/reports')).body.total).toBe(1);
    expect((await owner.get('/api/reports/check/sample-ridge-derby-2031')).status).toBe(200);
    expect(await owner.buy('sample-ridge-derby-2031')).toMatchObject({
      status: 200,
      body: { report_id: reportId, credits_spent: 0 },
    });
    const other = await service.newCaller(1_000);
    expect(await other.buy('sample-ridge-derby-2031')).toMatchObject({ status: 200, body: { cached: true } });
    expectProblem(await (await service.newCaller(1)).buy('sample-fed-cut-2032'), 'event_not_found');
    expectProblem(await (await service.newCaller(1)).buy('sample-oil-ladder-2031'), 'insufficient_credits');
  });
});

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
