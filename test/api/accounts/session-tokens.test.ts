import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { exportSPKI, generateKeyPair, importJWK } from 'jose';
import { pino } from 'pino';
import { openSessions } from '../../../api/auth/sessions.js';
import { readSettings } from '../../../platform/settings/settings.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { type Claims, forge, secondsFromNow, unsigned } from '../../support/machine/forge.js';
import { noMail } from '../../support/mail/no-mail.js';
import { type IdentityProvider, startIdentityProvider } from '../../support/public/identity-provider.js';
import { send } from '../../support/service/send.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

/** Moves the clock of the cached keys. */
let elapsedMs = 0;

/** The service as it is configured for an outside identity provider. */
async function serviceOf({ jwksUrl, issuer, audience }: IdentityProvider): Promise<TestService> {
  const settings = readSettings({
    SESSION_JWKS_URL: jwksUrl,
    SESSION_ISSUER: issuer,
    SESSION_AUDIENCE: audience,
  });
  const sessions = openSessions(settings, 'postgres://nowhere', [], {
    log: pino({ level: 'silent' }),
    now: () => new Date(Date.now() + elapsedMs),
    trustedOrigins: [],
    ...noMail,
  });
  return startTestService({ sessions, worker: false });
}

const provider = await startIdentityProvider();
const service = await serviceOf(provider);
afterAll(async () => {
  await service.stop();
  await provider.close();
});

afterEach(() => {
  provider.answerWith(null);
  elapsedMs = 0;
});

const balance = (token: string, { url } = service) =>
  send(`${url}/api/credits/balance`, { headers: { authorization: `Bearer ${token}` } });

const good = (more: Claims = {}): Claims => ({
  iss: provider.issuer,
  aud: provider.audience,
  sub: 'someone',
  exp: secondsFromNow(600),
  ...more,
});

describe('a session token of an identity provider', () => {
  test('authenticates its subject and creates one account for it', async () => {
    const answers = [await balance(await provider.token()), await balance(await provider.token())];
    for (const answer of answers) expect(answer.body.balance_credits).toBe(0);
    const accounts = await service.database.db.selectFrom('accounts').selectAll().execute();
    expect(accounts).toMatchObject([
      { issuer: provider.issuer, subject: 'someone', email: 'someone@example.test' },
    ]);
  });

  test.each<[what: string, claims: Claims, isVerified: boolean]>([
    ['says so', { email_verified: true }, true],
    ['says so as a text', { email_verified: 'true' }, true],
    ['says the opposite', { email_verified: false }, false],
    ['says nothing', {}, false],
    ['names no address', { email: null, email_verified: true }, false],
  ])('that %s verifies an address or does not', async (sub, claims, isVerified) => {
    const { email, ...others } = { email: `${randomUUID()}@example.test`, ...claims };
    const open = async (more: Claims) =>
      expect((await balance(await provider.token({ sub, ...more }))).status).toBe(200);
    const verifiedAt = () =>
      service.database.db
        .selectFrom('accounts')
        .select(eb => eb('email_verified_at', 'is not', null).as('isVerified'))
        .where('subject', '=', sub)
        .executeTakeFirst();
    await open({ email, ...others });
    expect(await verifiedAt()).toEqual({ isVerified });
    // Without the claim, it stays as it is.
    await open({ email });
    expect(await verifiedAt()).toEqual({ isVerified });
  });

  test('can create an API key of the same account', async () => {
    const token = await provider.token({ sub: 'minter' });
    const minted = await send(`${service.url}/api/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"outside"}',
    });
    expect(minted.status).toBe(201);
    expect((await balance(minted.body.key)).status).toBe(200);
    const account = await service.database.db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select('accounts.subject')
      .where('api_keys.id', '=', minted.body.id)
      .executeTakeFirst();
    expect(account?.subject).toBe('minter');
  });

  test('is valid with several audiences, without an e-mail address, and up to 5 s after expiry', async () => {
    expect((await balance(await provider.token({ aud: ['else', provider.audience] }))).status).toBe(200);
    expect((await balance(await provider.token({ email: undefined }))).status).toBe(200);
    expect((await balance(await provider.token({ exp: secondsFromNow(-2) }))).status).toBe(200);
  });

  test('disables the built-in accounts', async () => {
    expectProblem(await send(`${service.url}/api/auth/jwks`), 'not_found');
  });
});

describe('a session token is refused when', () => {
  test.each<[what: string, claims: () => Claims]>([
    ['another issued it', () => ({ iss: 'https://evil.example.test' })],
    ['nobody says who issued it', () => ({ iss: undefined })],
    ['it is for another audience', () => ({ aud: 'other' })],
    ['it is for other audiences', () => ({ aud: ['other', 'council-2'] })],
    ['it is for no audience', () => ({ aud: undefined })],
    ['it has expired', () => ({ exp: secondsFromNow(-60) })],
    ['it never expires', () => ({ exp: undefined })],
    ['its end is no time', () => ({ exp: 'tomorrow' })],
    ['it is not good yet', () => ({ nbf: secondsFromNow(600) })],
    ['it names no subject', () => ({ sub: undefined })],
    ['its subject is empty', () => ({ sub: '' })],
    ['its subject is a number', () => ({ sub: 5 })],
    ['its subject is null', () => ({ sub: null })],
  ])('%s', async (_what, claims) => {
    expectProblem(await balance(await provider.token(claims())), 'unauthenticated');
  });

  test('it is signed with HS256 and the provider’s public key', async () => {
    const { publicKey } = provider;
    const pem = await exportSPKI(await rsa());
    for (const secret of [pem, pem.trim(), JSON.stringify(publicKey), publicKey.n ?? '']) {
      for (const header of [{ alg: 'HS256', kid: publicKey.kid ?? '' }, { alg: 'HS256' }]) {
        expectProblem(await balance(await forge(good(), Buffer.from(secret), header)), 'unauthenticated');
      }
    }

    async function rsa() {
      const key = await importJWK({ ...publicKey }, 'RS256', { extractable: true });
      if (key instanceof Uint8Array) throw new Error('a public key was expected');
      return key;
    }
  });

  test('another key signed it, with the provider’s key id or its own', async () => {
    for (const alg of ['RS256', 'ES256', 'EdDSA', 'PS256']) {
      const { privateKey } = await generateKeyPair(alg);
      for (const kid of [provider.publicKey.kid ?? '', 'of-their-own']) {
        expectProblem(await balance(await forge(good(), privateKey, { alg, kid })), 'unauthenticated');
      }
    }
  });

  test('it was changed after signing', async () => {
    const [header, , signature] = (await provider.token()).split('.');
    const claims = Buffer.from(JSON.stringify(good({ sub: 'somebody-else' }))).toString('base64url');
    expectProblem(await balance(`${header}.${claims}.${signature}`), 'unauthenticated');
    expectProblem(await balance(`${header}.${claims}.`), 'unauthenticated');
  });

  test('it is unsigned, or not a token', async () => {
    for (const text of [unsigned(good()), 'x', 'x.y', 'x.y.z', '..', '...', 'e30.e30.', 'null', '{}'])
      expectProblem(await balance(text), 'unauthenticated');
  });
});

describe('the keys of the provider', () => {
  test('are reloaded for an unknown key id, and removed keys are no longer accepted', () =>
    withOwnProvider(async (rotating, read) => {
      const old = await rotating.token();
      expect((await read(old)).status).toBe(200);
      await rotating.rotate();
      const fresh = await rotating.token();
      elapsedMs = 31_000;
      expect((await read(fresh)).status).toBe(200);
      expectProblem(await read(old), 'unauthenticated');
    }));

  test('cannot be had: that is our trouble, not a bad credential', () =>
    withOwnProvider(async (away, read) => {
      const token = await away.token();
      for (const [status, body] of [
        [500, '{}'],
        [200, '<!doctype html>'],
        [200, '{"keys":5}'],
      ] as const) {
        away.answerWith(response => response.writeHead(status).end(body));
        expectProblem(await read(token), 'unavailable');
      }
      away.answerWith(response => response.destroy());
      expectProblem(await read(token), 'unavailable');
      away.answerWith(null);
      expect((await read(token)).status).toBe(200);
    }));

  /** A provider and a service that no other test has asked for keys. */
  async function withOwnProvider(
    work: (own: IdentityProvider, read: (token: string) => ReturnType<typeof balance>) => Promise<void>,
  ) {
    const own = await startIdentityProvider();
    const other = await serviceOf(own);
    try {
      await work(own, token => balance(token, other));
    } finally {
      await other.stop();
      await own.close();
    }
  }
});
