import { beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../platform/settings/logger.js';
import { send } from '../../support/service/send.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

let lines: string[] = [];
const log = createLogger('api', { level: 'trace', to: { write: line => void lines.push(line) } });

const trustedProxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'];
const service = await useTestService({ log, trustedProxies });
const caller = await service.newCaller(1_000);

beforeEach(() => {
  lines = [];
});

const infoLevel = 30;
const debugLevel = 20;

const requests = (): any[] => lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request');

/** The one line of a request, told by the id that its answer named. */
async function lineOf(answer: { headers: Headers }): Promise<any> {
  const id = answer.headers.get('x-request-id');
  const own = () => requests().filter(({ request_id }) => request_id === id);
  await until('the request is logged', () => own().length > 0);
  expect(own()).toHaveLength(1);
  return own()[0];
}

describe('every request is logged once', () => {
  test('with route, status, caller and report id', async () => {
    const bought = await caller.buy('sample-fed-cut-2031');
    const { account_id, api_key_id, ...line } = await lineOf(bought);
    expect(line).toMatchObject({
      level: infoLevel,
      process: 'api',
      method: 'POST',
      route: '/api/reports',
      status: 202,
      report_id: bought.body.report_id,
      ms: expect.any(Number),
    });
    expect(account_id).toBe(caller.accountId);
    const [{ id }] = (await caller.get('/api/keys', { as: 'session' })).body.keys;
    expect(api_key_id).toBe(id);
    await caller.untilEnded(bought.body.report_id);
  });

  test('without a key id for a session, and without an account for a refused caller', async () => {
    expect(await lineOf(await caller.get('/api/keys', { as: 'session' }))).toMatchObject({
      route: '/api/keys',
      account_id: caller.accountId,
      api_key_id: null,
    });
    const refused = await lineOf(await caller.get('/api/credits/balance', { as: 'nobody' }));
    expect(refused).toMatchObject({ route: '/api/credits/balance', status: 401 });
    expect(refused).not.toHaveProperty('account_id');
  });

  test.each<[address: string, forwarded: string, from: string]>([
    ['203.0.113.9', '203.0.113.9', '127.0.0.1'],
    ['2001:db8::9', '2001:db8::9', '127.0.0.1'],
    ['203.0.113.9', '::ffff:203.0.113.9', '127.0.0.1'],
    // Several trusted proxies, and what the caller sent to the first.
    ['203.0.113.9', '198.51.100.1, 203.0.113.9, 10.1.2.3, 2001:db8:1::7', '127.0.0.1'],
    // Only the proxies to the right of it are trusted.
    ['192.0.2.4', '203.0.113.9, 192.0.2.4, 10.1.2.3', '127.0.0.1'],
    ['10.1.2.3', '10.1.2.3', '127.0.0.1'],
    // Not written by a proxy that tells addresses.
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9:4711', '127.0.0.1'],
    // Not sent by a trusted proxy.
    ['127.0.0.9', '203.0.113.9', '127.0.0.9'],
  ])(
    'with the address %s of the caller for X-Forwarded-For: %s, sent by %s',
    async (address, forwarded, from) => {
      const headers = { 'x-forwarded-for': forwarded };
      const answer = await send(`${service.url}/api/credits/pricing`, { headers, from });
      expect(await lineOf(answer)).toMatchObject({ address });
    },
  );

  test('with the address of the connection, whatever other headers name another', async () => {
    const names = ['x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'x-caller-address'];
    const stated = Object.fromEntries(names.map(name => [name, '203.0.113.9']));
    const headers = { ...stated, forwarded: 'for=203.0.113.9' };
    const answer = await send(`${service.url}/api/credits/pricing`, { headers });
    expect(await lineOf(answer)).toMatchObject({ address: '127.0.0.1' });
  });

  test('by route pattern, never by raw path', async () => {
    expect(await lineOf(await caller.get('/API/Reports/4711'))).toMatchObject({
      route: '/api/reports/:id',
      status: 404,
      report_id: 4711,
    });
    const lost = await lineOf(await caller.get(`/api/nothing/${caller.key}?key=${caller.key}`));
    expect(lost).toMatchObject({ route: 'none', status: 404 });
    expect(lines.join('')).not.toContain('nothing');
  });

  test('as gone if the caller disconnected before the response', async () => {
    service.simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
    const before = service.simulator.calls.length;
    const { body } = await caller.buy('sample-ridge-derby-2031');
    const leave = new AbortController();
    const read = (seconds: number) =>
      fetch(`${service.url}/api/reports/${body.report_id}`, {
        headers: { 'x-api-key': caller.key, prefer: `wait=${seconds}` },
        signal: leave.signal,
      }).catch(() => undefined);
    await until('all are asked', () => service.simulator.calls.length === before + 4);
    const held = read(50);
    // One that came later was held for a second: so is the first.
    await read(1);
    leave.abort();
    await held;
    const gone = () => requests().find(line => line.gone === true);
    await until('it is noted that the caller is gone', () => gone() !== undefined);
    expect(gone()).toMatchObject({ route: '/api/reports/:id', status: null, report_id: body.report_id });
    service.simulator.clearFaults();
    await caller.untilEnded(body.report_id);
  });

  test.each(['/healthz', '/readyz', '/assets/nothing.js'])(
    'and %s, which machines ask all day, where nobody looks unless asked to',
    async path => {
      const { level } = await lineOf(await send(service.url + path));
      expect(level).toBe(debugLevel);
    },
  );
});

describe('no secret reaches the log, at any level', () => {
  const canary = 'Canary0123456789abcdef';

  test('from headers, bodies and paths of successful, failed and unmatched requests', async () => {
    const headers = {
      'content-type': 'application/json',
      cookie: `better-auth.session_token=${canary}`,
      'x-api-key': `pc_live_${canary}`,
      authorization: `Bearer ${canary}`,
    };
    const person = { email: `${canary}@example.test`, password: canary, name: 'x' };
    const body = JSON.stringify({ ...person, key: canary });
    const accounts = ['/api/auth/sign-up/email', '/api/auth/sign-in/email'];
    const paths = [...accounts, '/api/keys', '/api/reports', `/api/${canary}`];
    for (const path of paths) await send(service.url + path, { method: 'POST', headers, body });
    await caller.put('/api/provider-keys/openai', { key: `sk-${canary}` }, { as: 'session' });
    await caller.get(`/api/reports?key=${canary}`);
    await until('all are logged', () => requests().length >= paths.length + 2);
    expect(lines.join('')).not.toMatch(new RegExp(canary, 'i'));
    expect(lines.join('')).not.toContain(caller.session);
  });

  test('from internal errors', async () => {
    await service.database.pool.query('alter table provider_keys rename to mislaid');
    try {
      const body = { key: `sk-${canary}` };
      const answer = await caller.put('/api/provider-keys/openai', body, { as: 'session' });
      expect(answer.status).toBe(500);
      const told = lines.map(line => JSON.parse(line)).find(({ level }) => level === 50);
      expect(told).toMatchObject({
        request_id: answer.headers.get('x-request-id'),
        route: '/api/provider-keys/:provider',
        account_id: caller.accountId,
        err: { message: expect.stringContaining('provider_keys') },
      });
      expect(lines.join('')).not.toContain(canary);
    } finally {
      await service.database.pool.query('alter table mislaid rename to provider_keys');
    }
  });
});
