import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createPasswordHashing } from '../../api/auth/password-hashing.js';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { readinessOf } from '../../api/server/serve.js';
import { apiKeyPrefix } from '../../purchase/api-key.js';
import { networksPerSite, passwordsHashedAtOnce, passwordsWaitingMax } from '../../purchase/limits.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { hasManyAddresses, localAddress, sendFrom } from '../support/service/send-from.js';
import type { Answer } from '../support/service/test-caller.js';
import { until } from '../support/until.js';
import { useTwoServices } from '../support/use-service.js';

const limits = { anonymous: 50, credential: 100, address: 200 };

/** Passwords that the second process hashes only when the test says so. */
const held: (() => void)[] = [];
const hold = () => new Promise<void>(resolve => held.push(resolve));
const slowPasswords = createPasswordHashing({
  hash: async () => {
    await hold();
    return 'hash';
  },
  verify: async () => {
    await hold();
    return false;
  },
});

// Trusted, so that a test can state IPv6 addresses.
const options = {
  worker: false,
  limits: { requestsPerMinute: limits },
  trustedProxies: ['127.0.0.0/8'],
  pages: await loadPageRenderer(),
};
const services = await useTwoServices(options, { passwords: slowPasswords });
const caller = await services[0].newCaller(100);

let used = 0;
/** Each test attacks from addresses of its own. */
const newAddress = () => localAddress(0x20_0000 + used++);

const pricing = '/api/credits/pricing';
const balance = '/api/credits/balance';

/** Sends requests to both processes in turn, fifty at a time. */
async function flood(
  count: number,
  request: (index: number) => { address: string; path: string; headers?: Record<string, string> },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < count; from += 50) {
    answers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - from) }, (_, index) => {
          const { address, path, ...sent } = request(from + index);
          return sendFrom(address, `${services[index % 2]?.url}${path}`, sent);
        }),
      )),
    );
  }
  return answers;
}

const served = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 429).length;

/** Not every last request of a limit: what a process has leased and not spent is lost with the window. */
function expectLimited(answers: readonly Answer[], limit: number): void {
  expect(served(answers)).toBeLessThanOrEqual(limit);
  expect(served(answers)).toBeGreaterThanOrEqual(limit * 0.9);
  for (const refused of answers.filter(({ status }) => status === 429)) {
    expectProblem(refused, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
}

(hasManyAddresses ? describe : describe.skip)('with two API processes', () => {
  test('a flood of anonymous reads is refused, and a caller with a key beside it is served', async () => {
    const address = newAddress();
    expectLimited(await flood(120, () => ({ address, path: pricing })), limits.anonymous);
    const headers = { 'x-api-key': caller.key };
    const busy = await flood(60, index => ({ address, path: index % 2 === 0 ? pricing : balance, headers }));
    expect(served(busy)).toBe(60);
  });

  test('a batch of a hundred calls of tools is refused, and is not answered in parts', async () => {
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
    const batch = Array.from({ length: 100 }, (_, id) => call(id));
    const headers = { accept: 'application/json, text/event-stream' };
    const answer = await sendFrom(newAddress(), `${services[0].url}/mcp`, { body: batch, headers });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
    ]);
  });

  test.each(['/healthz', '/readyz', '/openapi.json', '/docs', '/robots.txt'])(
    'a flood of %s is refused, and another caller is served it',
    async path => {
      const address = newAddress();
      const flooded = await flood(240, () => ({ address, path }));
      // The process counts its health by itself.
      const processes = path === '/healthz' || path === '/readyz' ? services.length : 1;
      expectLimited(flooded, processes * limits.anonymous);
      expect((await sendFrom(newAddress(), `${services[0].url}${path}`)).status).toBe(200);
    },
  );

  test('the networks of one IPv6 site have a limit together, with and without made-up credentials', async () => {
    const address = newAddress();
    const from = (network: number) => ({
      'x-forwarded-for': `2001:db8:7:${(network << 8).toString(16)}::1`,
    });
    const made = () => ({ 'x-api-key': `${apiKeyPrefix}${randomBytes(32).toString('base64url')}` });
    const spread = await flood(400, index => ({
      address,
      path: pricing,
      headers: { ...from(index % 200), ...(index % 3 === 0 ? made() : {}) },
    }));
    expectLimited(spread, networksPerSite * limits.anonymous);
    const neighbour = { headers: { 'x-forwarded-for': '2001:db8:8::1' } };
    expect((await sendFrom(address, `${services[0].url}${pricing}`, neighbour)).status).toBe(200);
  });

  test('made-up credentials are anonymous, however many there are', async () => {
    const address = newAddress();
    const made = await flood(120, index => ({
      address,
      path: index % 2 === 0 ? pricing : balance,
      headers:
        index % 3 === 0
          ? { authorization: `Bearer ${index}.b.c` }
          : { 'x-api-key': `${apiKeyPrefix}${randomBytes(32).toString('base64url')}` },
    }));
    expectLimited(made, limits.anonymous);
    expect((await sendFrom(newAddress(), `${services[0].url}${pricing}`)).status).toBe(200);
  });

  test('a flood of passwords to hash is refused, and everything else is served', async () => {
    const places = passwordsHashedAtOnce + passwordsWaitingMax;
    const signIn = () =>
      sendFrom(newAddress(), `${services[1].url}/api/auth/sign-in/email`, {
        body: { email: `${randomUUID()}@example.test`, password: 'a password' },
      });
    const answers: Answer[] = [];
    const all = Array.from({ length: places + 10 }, () => signIn().then(answer => answers.push(answer)));
    await until('the surplus is refused', () => answers.length === 10);
    for (const refused of answers) expectProblem(refused, 'unavailable');
    const reads = await flood(20, () => ({ address: newAddress(), path: pricing }));
    expect(reads.every(({ status }) => status === 200)).toBe(true);
    expect(answers).toHaveLength(10);
    await until('all are answered', () => {
      for (const release of held.splice(0)) release();
      return answers.length === places + 10;
    });
    await Promise.all(all);
    expect(answers.slice(10).every(({ status }) => status === 401)).toBe(true);
  });

  const perMinute = (who: 'credential' | 'address', { headers }: Answer) => {
    expect(headers.get('ratelimit-policy')).toContain(`"${who}"; q=${limits[who]}; w=60`);
    expect(headers.get('ratelimit')).toContain(`"${who}"; r=0; t=`);
  };

  test('one credential has one limit, from whatever addresses', async () => {
    const other = await services[0].newCaller(100);
    const headers = { 'x-api-key': other.key };
    const spread = await flood(180, () => ({ address: newAddress(), path: balance, headers }));
    expectLimited(spread, limits.credential);
    for (const refused of spread.filter(({ status }) => status === 429)) perMinute('credential', refused);
    expect((await caller.get(balance)).status).toBe(200);
  });

  test('one address has one limit, with whatever credentials', async () => {
    const address = newAddress();
    const keys = await Promise.all([1, 2, 3].map(async () => (await services[0].newCaller()).key));
    const spread = await flood(270, index => ({
      address,
      path: balance,
      headers: { 'x-api-key': keys[index % 3] ?? '' },
    }));
    expectLimited(spread, limits.address);
    for (const refused of spread.filter(({ status }) => status === 429)) perMinute('address', refused);
    expect((await sendFrom(address, `${services[0].url}/healthz`)).status).toBe(200);
    expect((await caller.get(balance)).status).toBe(200);
  });
});

test('readiness is checked at most once a second, however many ask', async () => {
  let checks = 0;
  const describeNamespace = async () => {
    checks += 1;
  };
  const client: any = {
    options: { namespace: 'default' },
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    workflowService: { describeNamespace },
  };
  const readiness = readinessOf(services[0].database.db, client);
  const ready = { database: null, temporal: null };
  expect(await Promise.all([readiness(), readiness(), readiness()])).toEqual([ready, ready, ready]);
  expect(checks).toBe(1);
  const begun = performance.now();
  await until('it is checked again', async () => {
    await readiness();
    return checks > 1;
  });
  expect(performance.now() - begun).toBeGreaterThan(900);
});
