import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { expectProblem } from '../support/expect/expect-problem.js';
import { forge, secondsFromNow, unsigned } from '../support/machine/forge.js';
import { describeBehindProxy } from '../support/public/describe-behind-proxy.js';
import type { PublicService } from '../support/public/public-service.js';
import { openTokenMint } from '../support/public/token-mint.js';
import { cookieOf, testPassword as password } from '../support/service/test-caller.js';
import { until } from '../support/until.js';

const evil = 'https://evil.example';

/** Everything in which a caller could state another address, another host or another protocol. */
const forged = (address = '203.0.113.9'): Record<string, string> => ({
  'x-forwarded-for': address,
  'x-real-ip': address,
  'cf-connecting-ip': address,
  'true-client-ip': address,
  'x-client-ip': address,
  'x-caller-address': address,
  forwarded: `for=${address};host=evil.example;proto=http`,
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
});

const newEmail = () => `${randomUUID()}@example.test`;

describeBehindProxy('a service at a public address, behind a proxy with TLS', service => {
  let addresses = 0;
  /** An address that no other test sends from, so that their limits are apart. */
  const newAddress = () => {
    addresses += 1;
    return `127.2.0.${addresses}`;
  };

  const post = (path: string, body: unknown, headers: Record<string, string> = {}, from = newAddress()) =>
    service().send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      from,
    });

  async function signUp(headers: Record<string, string> = {}, from?: string) {
    const email = newEmail();
    const answer = await post('/api/auth/sign-up/email', { email, password, name: 'x' }, headers, from);
    return { email, answer, cookie: cookieOf(answer) };
  }

  test('a page of the public address signs up and in, with cookies that only TLS carries', async () => {
    const { url } = service();
    const { email, answer } = await signUp({ origin: url, 'sec-fetch-site': 'same-origin' });
    const signedIn = await post('/api/auth/sign-in/email', { email, password }, { origin: url });
    for (const each of [answer, signedIn]) {
      expect(each.status).toBe(200);
      const cookies = each.headers.getSetCookie();
      expect(cookies.length).toBeGreaterThan(0);
      for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-.*; HttpOnly; Secure; SameSite=Lax$/i);
    }
    expect(signedIn.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
    const out = await post('/api/auth/sign-out', {}, { origin: url, cookie: cookieOf(signedIn) });
    expect(out.status).toBe(200);
  });

  test('plain HTTP leads to the public address', async () => {
    const { plainUrl, url, send } = service();
    const { status, headers } = await send(`${plainUrl}/events?search=x`, {
      headers: { host: 'evil.example' },
    });
    expect([status, headers.get('location')]).toEqual([308, `${url}/events?search=x`]);
  });

  test('no header changes the address that is logged and stored for a caller', async () => {
    const { apis, send, database } = service();
    const [from, direct] = [newAddress(), newAddress()];
    const price = '/api/credits/pricing';
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => send(price, { headers: forged(), from })),
      // Not through the proxy, and from nobody who is trusted.
      ...apis.map(api => send(api.url + price, { headers: forged(), from: direct })),
    ]);
    const lines = await until(
      'all requests are logged',
      async () => {
        const ids = answers.map(({ headers }) => headers.get('x-request-id'));
        const logged = await service().logs();
        return ids.map(id => logged.find(({ request_id }) => request_id === id)?.['address']);
      },
      seen => seen.every(address => address !== undefined),
    );
    expect(lines).toEqual([from, from, from, from, direct, direct]);

    const { answer } = await signUp(forged(), from);
    const stored = await database.pool.query('select "ipAddress" from auth.session where "userId" = $1', [
      answer.body.user.id,
    ]);
    expect(stored.rows).toEqual([{ ipAddress: from }]);
  });

  test('another forged header with each attempt does not evade the limit of sign-ins', async () => {
    const { apis, send, url } = service();
    const { email } = await signUp();
    for (const target of [url, apis[0].url]) {
      const from = newAddress();
      let last = 401;
      for (let attempt = 1; last === 401 && attempt <= 40; attempt += 1) {
        const answer = await send(`${target}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...forged(`203.0.113.${attempt}`) },
          body: JSON.stringify({ email, password: 'not this one' }),
          from,
        });
        last = answer.status;
      }
      expect(last).toBe(429);
    }
  });

  test('a page of another origin cannot sign up, in or out, nor use the tools', async () => {
    const { cookie } = await signUp();
    const foreign: Record<string, string>[] = [
      { origin: evil, cookie },
      // Whose name was made to point here, and which a proxy passes on as the host.
      { origin: evil, host: 'evil.example' },
      { origin: 'http://evil.example', host: 'evil.example' },
      { origin: evil, host: 'evil.example', ...forged(), 'x-forwarded-proto': 'https' },
      { origin: service().url.replace('https:', 'http:'), cookie },
      { origin: 'null', cookie },
      { referer: `${evil}/`, cookie },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ];
    for (const headers of foreign) {
      for (const path of ['sign-in/email', 'sign-up/email']) {
        // A new address each time: many tries at one would be throttled.
        const answer = await post(`/api/auth/${path}`, { email: newEmail(), password, name: 'x' }, headers);
        expectProblem(answer, 'invalid_request');
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      const headersWithCookie = { cookie, ...headers };
      expectProblem(await post('/api/auth/sign-out', {}, headersWithCookie), 'invalid_request');
      const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      if ('origin' in headers) expect((await post('/mcp', listTools, headers)).status).toBe(403);
    }
    const { url, send } = service();
    expect((await send('/api/auth/token', { headers: { cookie } })).status).toBe(200);
    const mcp = { accept: 'application/json, text/event-stream', origin: url, host: 'evil.example' };
    expect((await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, mcp)).status).toBe(200);
  });

  test('a cookie alone authorises nothing that a foreign page could send', async () => {
    const { cookie } = await signUp();
    for (const [path, body] of [
      ['/api/keys', { name: 'x' }],
      ['/api/reports', { event_id: 'sample-fed-cut-2031' }],
      ['/api/billing/checkout', { pack_id: 'starter' }],
      ['/api/billing/portal', {}],
    ] as const) {
      expectProblem(await post(path, body, { cookie, origin: service().url }), 'unauthenticated');
    }
  });

  test('an oversized request is refused with a problem, by the API or by the proxy', async () => {
    const { key } = await service().newCaller(0);
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    for (const [bytes, isOfProxy] of [
      [65 * 1024, false],
      [2 * 1024 * 1024, true],
    ] as const) {
      const whole = JSON.stringify({ search: 'x'.repeat(bytes) });
      for (const path of ['/api/reports', '/api/auth/sign-in/email']) {
        for (const body of [whole, [whole.slice(0, 9_000), whole.slice(9_000)]]) {
          const answer = await service().send(path, { method: 'POST', headers, body, isOfProxy });
          expectProblem(answer, 'payload_too_large');
        }
      }
    }
    for (const chars of [16 * 1024, 40_000]) {
      const answer = await service().send('/api/credits/pricing', {
        headers: { 'x-long': 'x'.repeat(chars) },
        isOfProxy: true,
      });
      expectProblem(answer, 'invalid_request', 431);
    }
    expect((await service().send('/api/credits/pricing')).status).toBe(200);
  });

  test('no replayed, stale or foreign token is accepted by either API process', async () => {
    const { newCaller, apis, send, url } = service();
    const caller = await newCaller(0);
    const claims = decodeJwt(caller.session);
    const good = { ...claims, exp: secondsFromNow(600) };
    const { sub: _, ...nobody } = good;
    const mint = openTokenMint(service());
    const { keys } = (await send('/api/auth/jwks')).body;
    const other = await generateKeyPair('EdDSA');
    const kid: string = keys[0].kid;
    const byOther = (header: object) => forge(good, other.privateKey, { alg: 'EdDSA', ...header });
    const refused = {
      expired: await mint.sign({ ...good, exp: secondsFromNow(-60) }),
      'of another issuer': await mint.sign({ ...good, iss: 'https://evil.example' }),
      'for another audience': await mint.sign({ ...good, aud: 'another-service' }),
      'without a subject': await mint.sign(nobody),
      unsigned: unsigned(good),
      'signed with the public key as a secret': await forge(good, Buffer.from(keys[0].x), {
        alg: 'HS256',
        kid,
      }),
      "signed with another service's key": await byOther({ kid: 'another-service' }),
      "signed with another service's key under this service's id": await byOther({ kid }),
      'that brings its own key': await byOther({ jwk: await exportJWK(other.publicKey) }),
      'that says where its key is': await byOther({ kid, jku: `${url}/api/auth/jwks` }),
    };
    const accepted = await mint.sign(good);
    await mint.close();
    for (const api of [url, ...apis.map(each => each.url)]) {
      const read = (token: string) =>
        send(`${api}/api/credits/balance`, { headers: { authorization: `Bearer ${token}` } });
      expect((await read(accepted)).status).toBe(200);
      for (const [what, token] of Object.entries(refused)) {
        expect([what, (await read(token)).body.code]).toEqual([what, 'unauthenticated']);
      }
    }
  });

  test('a session that was ended, and its tokens, are refused by either API process', async () => {
    const { apis, url, send } = service();
    const { cookie } = await signUp();
    const tokens = () =>
      Promise.all(apis.map(api => send(`${api.url}/api/auth/token`, { headers: { cookie } })));
    const [issued] = await tokens();
    const authorization = `Bearer ${issued?.body.token}`;
    const uses = () =>
      Promise.all(apis.map(api => send(`${api.url}/api/credits/balance`, { headers: { authorization } })));
    expect((await uses()).map(({ status }) => status)).toEqual([200, 200]);
    expect((await post('/api/auth/sign-out', {}, { cookie, origin: url })).status).toBe(200);
    for (const answer of [...(await tokens()), ...(await uses())]) expectProblem(answer, 'unauthenticated');
  });

  // The last test: nothing is left of the service after it.
  test('one lost API process is not noticed, and the loss of both is a problem document', async () => {
    const { apis, send } = service();
    const read = () => send('/api/credits/pricing');
    await endedNow(service(), 0);
    for (let n = 0; n < 6; n += 1) expect((await read()).status).toBe(200);
    expect(apis[1].pid).not.toBeNull();
    await endedNow(service(), 1);
    const answer = await send('/api/credits/pricing', { isOfProxy: true });
    expectProblem(answer, 'internal', 502);
    expect(answer.headers.get('retry-after')).toBe('2');
  });
});

async function endedNow({ apis }: PublicService, index: 0 | 1): Promise<void> {
  apis[index].kill('SIGKILL');
  await apis[index].ended();
}
