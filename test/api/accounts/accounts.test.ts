import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, generateKeyPair, jwtVerify } from 'jose';
import { builtInIssuer } from '../../../api/auth/accounts.js';
import { operations } from '../../../contract/operations.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { forge, secondsFromNow, unsigned } from '../../support/machine/forge.js';
import { send } from '../../support/service/send.js';
import type { Answer } from '../../support/service/test-caller.js';
import { cookieOf } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });

const password = 'correct horse battery';
const auth = (path: string) => `${service.url}/api/auth/${path}`;

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return send(auth(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function signUp(email = `${randomUUID()}@example.test`) {
  const answer = await post('sign-up/email', { email, password, name: 'A Person' });
  return { email, answer, cookie: cookieOf(answer) };
}

const token = async (cookie: string): Promise<string> =>
  (await send(auth('token'), { headers: { cookie } })).body.token;
const balance = (bearer: string) =>
  send(`${service.url}/api/credits/balance`, { headers: { authorization: `Bearer ${bearer}` } });

describe('a user', () => {
  test('signs up, signs in again, and has the same account in every session', async () => {
    const { email, answer, cookie } = await signUp();
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toContain(password);
    const first = await token(cookie);
    expect((await balance(first)).status).toBe(200);

    const signIn = await post('sign-in/email', { email, password });
    expect(signIn.status).toBe(200);
    const second = await token(cookieOf(signIn));
    expect((await balance(second)).status).toBe(200);
    expect(decodeJwt(second).sub).toBe(decodeJwt(first).sub);
    const { rows } = await service.database.pool.query('select from accounts where email = $1', [email]);
    expect(rows).toHaveLength(1);
  });

  test('authenticates for 15 minutes with a token that the public keys verify', async () => {
    const { email, cookie } = await signUp();
    const jwt = await token(cookie);
    const keys = createRemoteJWKSet(new URL(auth('jwks')));
    const { payload } = await jwtVerify(jwt, keys, { issuer: builtInIssuer, audience: builtInIssuer });
    expect(payload).toMatchObject({ sub: expect.any(String), email });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
  });

  test('signs out, and the session issues no more tokens', async () => {
    const { cookie } = await signUp();
    expect((await post('sign-out', '', { cookie, origin: service.url })).status).toBe(200);
    expectProblem(await send(auth('token'), { headers: { cookie } }), 'unauthenticated');
  });

  test('has a session cookie that scripts cannot read', async () => {
    const { answer } = await signUp();
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/HttpOnly/i);
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });
});

describe('the keys that sign session tokens', () => {
  test('are stored encrypted, and published without their private parts', async () => {
    await token((await signUp()).cookie);
    const { rows } = await service.database.pool.query(
      'select "privateKey" as stored, "publicKey" as public from auth."jwks"',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { stored, public: published } of rows) {
      expect(JSON.parse(published)).toMatchObject({ kty: expect.any(String) });
      expect(stored).not.toMatch(/kty|"d"/);
    }
    const { body } = await send(auth('jwks'));
    expect(body.keys.length).toBeGreaterThan(0);
    for (const key of body.keys) {
      expect(key).toMatchObject({ kty: expect.any(String), kid: expect.any(String) });
      for (const secret of ['d', 'p', 'q', 'k', 'privateKey']) expect(key).not.toHaveProperty(secret);
    }
  });

  test('do not verify forged tokens: unsigned, by another key, or by the public key as a secret', async () => {
    await token((await signUp()).cookie);
    const [publicKey] = (await send(auth('jwks'))).body.keys;
    const claims = { iss: builtInIssuer, aud: builtInIssuer, sub: 'someone', exp: secondsFromNow(600) };
    const { kid, x } = publicKey;
    const { privateKey } = await generateKeyPair('EdDSA');
    for (const forged of [
      unsigned(claims),
      await forge(claims, privateKey, { alg: 'EdDSA', kid }),
      await forge(claims, Buffer.from(JSON.stringify(publicKey)), { alg: 'HS256', kid }),
      await forge(claims, Buffer.from(x), { alg: 'HS256', kid }),
    ])
      expectProblem(await balance(forged), 'unauthenticated');
  });
});

describe('errors of accounts are problem documents', () => {
  test('a wrong password and an unknown address return the same response', async () => {
    const { email } = await signUp();
    const wrong = await post('sign-in/email', { email, password: 'not this one' });
    const unknown = await post('sign-in/email', { email: `${randomUUID()}@example.test`, password });
    for (const answer of [wrong, unknown]) expectProblem(answer, 'unauthenticated');
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  const person = { email: 'a@example.test', password, name: 'x' };

  test.each<[what: string, path: string, body: unknown]>([
    ['malformed JSON', 'sign-in/email', '{"email":'],
    ['null', 'sign-in/email', 'null'],
    ['no body', 'sign-in/email', ''],
    ['nothing', 'sign-in/email', {}],
    ['an address that is none', 'sign-up/email', { ...person, email: 'nobody' }],
    ['an address with a NUL', 'sign-up/email', { ...person, email: 'a\u0000@example.test' }],
    ['a name with a NUL', 'sign-up/email', { ...person, name: 'a\u0000' }],
    ['a short password', 'sign-up/email', { ...person, password: 'short' }],
    ['an endless password', 'sign-up/email', { ...person, password: 'x'.repeat(5_000) }],
    ['a password that is none', 'sign-up/email', { ...person, password: 5 }],
    ['an object for an address', 'sign-in/email', { email: { $ne: '' }, password }],
  ])('%s', async (_what, path, body) => {
    expectProblem(await post(path, body), 'invalid_request');
  });

  test.each([
    ['you+council@example.com', true],
    [`${'a'.repeat(80)}@example.com`, true],
    ['you@localhost', false],
    ['.you@example.com', false],
    ['yoü@example.com', false],
  ])('the address %s is taken or refused as published: %p', async (email, isTaken) => {
    expect(operations.signUp.body.schema.safeParse({ ...person, email }).success).toBe(isTaken);
    expect((await post('sign-up/email', { ...person, email })).status).toBe(isTaken ? 200 : 400);
  });

  test('no session', async () => {
    expectProblem(await send(auth('token')), 'unauthenticated');
    expectProblem(await send(auth('token'), { headers: { cookie: 'x=y' } }), 'unauthenticated');
  });

  test('a page of another origin gets no session, and one of the own origin does', async () => {
    const { email, cookie } = await signUp();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example.test', cookie },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ];
    for (const headers of foreign) {
      const answer = await post('sign-in/email', { email, password }, headers);
      expectProblem(answer, 'invalid_request');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const own = await post('sign-in/email', { email, password }, { origin: service.url });
    expect(own.status).toBe(200);
  });
});

describe('a session that has ended', () => {
  const { pool } = service.database;
  const expire = `update auth."session" set "expiresAt" = now() - interval '1 second'`;

  test.each<[what: string, end: (cookie: string) => Promise<unknown>]>([
    ['signing out', cookie => post('sign-out', {}, { cookie, origin: service.url })],
    ['ending all sessions', cookie => post('revoke-sessions', {}, { cookie, origin: service.url })],
    ['its deletion', () => pool.query(`delete from auth."session"`)],
    ['its expiry', () => pool.query(expire)],
  ])('has no valid token from the next request on: %s', async (_what, end) => {
    const { cookie } = await signUp();
    const ended = await token(cookie);
    const never = await token(cookie);
    expect((await balance(ended)).status).toBe(200);
    await end(cookie);
    // One that was used before, and one that is used for the first time.
    for (const stale of [ended, never]) expectProblem(await balance(stale), 'unauthenticated');
  });

  test('ends no other session of its account', async () => {
    const { email, cookie } = await signUp();
    const other = await token(cookieOf(await post('sign-in/email', { email, password })));
    expect((await post('sign-out', {}, { cookie, origin: service.url })).status).toBe(200);
    expect((await balance(other)).status).toBe(200);
  });
});
