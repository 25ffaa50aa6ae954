import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { offeredPaths, offeredRoutes } from '../../api/routes/accounts.js';
import { accountNameMaxChars, passwordRequestAnsweredAfterMs } from '../../purchase/limits.js';
import { accountLibraryRoutes } from '../support/expect/account-library.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { tokenIn } from '../support/mail/mailing-service.js';
import { send } from '../support/service/send.js';
import { type Answer, cookieOf, testPassword } from '../support/service/test-caller.js';
import { useMailingService } from '../support/use-service.js';

/** Who has an account here, and what a stranger can do with the account of somebody else, and the mails to it. */

const world = await useMailingService();

/** Everything of a response but its values: what would tell two kinds of response apart. */
function shapeOf({ status, headers, body }: Answer) {
  const cookies = headers.getSetCookie().map(cookie => cookie.replace(/=[^;]+/, cookieValue));
  return { status, headers: [...headers.keys()].sort(), cookies, body: fieldsOf(body) };
}

/** The length of a value, and whether it is signed. */
const cookieValue = (pair: string) =>
  `=${decodeURIComponent(pair.slice(1)).replaceAll(/[A-Za-z0-9]/g, 'x').length}`;

/** The fields in their order, with the length of ids. */
function fieldsOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([name, field]) => [name, fieldsOf(field)]);
  return typeof value === 'string' ? value.length : value;
}

describe('a sign-up with an address in use', () => {
  test.each([
    ['', {}],
    [', for as long as the browser is open', { rememberMe: false }],
  ])('is answered like a new one%s, and the mail tells', async (_what, more) => {
    const fresh = await world.signUp(undefined, more);
    for (const address of [fresh.email, fresh.email.toUpperCase()]) {
      const again = await world.signUp(address, { ...more, password: 'a guess of somebody' });
      expect(shapeOf(again.answer)).toEqual(shapeOf(fresh.answer));
      expect(again.answer.body.user).toMatchObject({ name: 'A Person', email: fresh.email });
    }
    expect((await world.inbox.next(fresh.email)).subject).toBe('Confirm your e-mail address');
    for (const _time of [1, 2]) {
      const { subject, link } = await world.inbox.next(fresh.email);
      expect(subject).toBe('You already have an account');
      expect(link).toBe(`${world.service.url}/forgotten-password`);
    }
  });

  test('opens no session and changes nothing', async () => {
    const { email, cookie } = await world.signUp();
    const again = await world.signUp(email, { name: 'Somebody Else', password: 'a guess of somebody' });
    expectProblem(await world.auth('token', undefined, { cookie: again.cookie }), 'unauthenticated');
    const { body } = await world.auth('get-session', undefined, { cookie });
    expect(body.user).toMatchObject({ name: 'A Person', email });
    const guess = { email, password: 'a guess of somebody' };
    expectProblem(await world.auth('sign-in/email', guess), 'unauthenticated');
  });
});

test('a new password is requested for an unknown address as for a known one, and only one mail is sent', async () => {
  const { email } = await world.signUp();
  await world.inbox.next(email);
  const unknown = `${randomUUID()}@example.test`;
  const answers: Answer[] = [];
  for (const address of [email, unknown]) {
    const begun = performance.now();
    answers.push(await world.auth('request-password-reset', { email: address }));
    expect(performance.now() - begun).toBeGreaterThanOrEqual(passwordRequestAnsweredAfterMs - 1);
  }
  const [known, other] = answers.map(shapeOf);
  expect(other).toEqual(known);
  expect((await world.inbox.next(email)).subject).toBe('Set a new password');
  expect(world.inbox.mails.flatMap(({ to }) => to)).not.toContain(unknown);
});

describe('a mail', () => {
  test('has one recipient and no header of the caller’s, whatever the name is', async () => {
    const name = 'x\r\nBcc: victim@example.test\r\nSubject: <b>win</b>\r\n\r\nhttps://evil.example.test';
    const { email } = await world.signUp(undefined, { name });
    const mail = await world.inbox.next(email);
    expect(mail.to).toEqual([email]);
    expect(mail.subject).toBe('Confirm your e-mail address');
    expect(mail.headers.filter(line => /^(bcc|cc):/.test(line))).toEqual([]);
    expect(mail.text + mail.html + mail.headers.join()).not.toMatch(/evil|victim|win</);
  });

  test.each([
    'a@example.test, b@example.test',
    'a@example.test\r\nBcc: b@example.test',
    'A <a@example.test>',
  ])('is not sent to %j', async email => {
    const mails = world.inbox.mails.length;
    for (const path of ['sign-up/email', 'request-password-reset', 'send-verification-email'])
      expectProblem(
        await world.auth(path, { email, name: 'x', password: 'correct horse battery' }),
        'invalid_request',
      );
    expect(world.inbox.mails).toHaveLength(mails);
  });

  test('links to this service, whatever host and page the request names', async () => {
    const { email } = await world.signUp();
    await world.inbox.next(email);
    const elsewhere = { host: 'evil.example.test', 'x-forwarded-host': 'evil.example.test' };
    const requested = [
      await world.auth('request-password-reset', { email }, elsewhere),
      await world.auth('request-password-reset', { email, redirectTo: '//evil.example.test' }),
      await world.auth('request-password-reset', { email, redirectTo: 'https://evil.example.test' }),
      await world.auth('send-verification-email', { email, callbackURL: 'https://evil.example.test' }),
    ];
    expect(requested.map(({ status }) => status)).toEqual([200, 400, 400, 400]);
    expect(new URL((await world.inbox.next(email)).link).origin).toBe(world.service.url);
    const own = await world.auth('request-password-reset', { email, redirectTo: '/anywhere' });
    expect(own.status).toBe(200);
    expect((await world.inbox.next(email)).link).toMatch(`${world.service.url}/new-password?token=`);
  });

  test('leads to the result and nowhere else, even if somebody adds to its link', async () => {
    const { email } = await world.signUp();
    const { link } = await world.inbox.next(email);
    const led = await send(`${link}&callbackURL=https://evil.example.test`);
    expect(led.headers.get('location')).toBe('/email-verified');
  });
});

test('a sign-up cannot declare its address verified', async () => {
  const { answer } = await world.signUp(undefined, { emailVerified: true });
  expect(answer.status === 200 ? answer.body.user.emailVerified : false).toBe(false);
});

describe('somebody in an account that is not theirs', () => {
  const newPassword = 'another horse battery';
  const balanceWith = (headers: Record<string, string>) =>
    send(`${world.service.url}/api/credits/balance`, { headers });
  const tokenOf = async (cookie: string): Promise<string> =>
    (await world.auth('token', undefined, { cookie })).body.token;

  test.each([
    ['', {}],
    [', whatever the request says', { revokeOtherSessions: false }],
  ])('loses sessions and tokens when its owner changes the password%s', async (_what, more) => {
    const { email, cookie } = await world.signUp();
    const others = await world.auth('sign-in/email', { email, password: testPassword });
    const authorization = `Bearer ${await tokenOf(cookieOf(others))}`;
    const changed = await world.auth(
      'change-password',
      { currentPassword: testPassword, newPassword, ...more },
      { cookie, origin: world.service.url },
    );
    expect(changed.status).toBe(200);
    expectProblem(await balanceWith({ authorization }), 'unauthenticated');
    expectProblem(await world.auth('token', undefined, { cookie: cookieOf(others) }), 'unauthenticated');
    const own = `Bearer ${await tokenOf(cookieOf(changed))}`;
    expect((await balanceWith({ authorization: own })).status).toBe(200);
  });

  test('loses keys, provider keys and webhooks when the owner of its address sets a password by mail', async () => {
    const caller = await world.service.newCaller();
    await world.inbox.next(caller.email);
    await caller.put('/api/provider-keys/openai', { key: 'sk-of-somebody-else' }, { as: 'session' });
    const webhook = { url: 'https://somebody-else.example.com/', types: ['report.completed'] };
    await caller.post('/api/webhooks', webhook, { as: 'session' });
    await world.auth('request-password-reset', { email: caller.email });
    const token = tokenIn((await world.inbox.next(caller.email)).link);
    expect((await world.auth('reset-password', { token, newPassword })).status).toBe(200);
    expectProblem(await balanceWith({ 'x-api-key': caller.key }), 'unauthenticated');
    const { pool } = world.service.database;
    for (const table of ['provider_keys', 'webhook_endpoints']) {
      const { rows } = await pool.query(`select 1 from ${table} where account_id = $1`, [caller.accountId]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});

describe('a password that others would try first', () => {
  test.each(['password1', 'QWERTYUIOP', 'aaaaaaaaaa', 'abcabcabcabc', '34567890', 'council-2026!'])(
    'is refused at a sign-up: %s',
    async password => {
      const { answer } = await world.signUp(undefined, { password });
      expectProblem(answer, 'invalid_request');
      expect(answer.body.detail).toMatch(/^This password .* Choose several words/);
    },
  );

  test('is refused if it is the address of the account, also later, which changes nothing', async () => {
    const email = 'ada.lovelace@analytical.example';
    const weak = 'Ada.Lovelace1815';
    expectProblem((await world.signUp(email, { password: weak })).answer, 'invalid_request');
    const { cookie } = await world.signUp(email);
    await world.inbox.next(email);
    const change = { currentPassword: testPassword, newPassword: weak };
    const headers = { cookie, origin: world.service.url };
    expectProblem(await world.auth('change-password', change, headers), 'invalid_request');
    await world.auth('request-password-reset', { email });
    const token = tokenIn((await world.inbox.next(email)).link);
    expectProblem(await world.auth('reset-password', { token, newPassword: weak }), 'invalid_request');
    expect((await world.auth('sign-in/email', { email, password: testPassword })).status).toBe(200);
    expect((await world.auth('reset-password', { token, newPassword: testPassword })).status).toBe(200);
  });
});

test('a name is refused that makes a session token too long for this service', async () => {
  const named = (name: string) => world.signUp(undefined, { name });
  expectProblem((await named('n'.repeat(accountNameMaxChars + 1))).answer, 'invalid_request');
  const { cookie } = await named('\u{1F600}'.repeat(accountNameMaxChars / 2));
  const headers = {
    authorization: `Bearer ${(await world.auth('token', undefined, { cookie })).body.token}`,
  };
  expect((await send(`${world.service.url}/api/credits/balance`, { headers })).status).toBe(200);
});

/** Every kind of body for which the library has a parser, and types that only look like JSON. */
const otherTypes: readonly (readonly [type: string, encode: (fields: Record<string, string>) => string])[] = [
  ['application/x-www-form-urlencoded', fields => new URLSearchParams(fields).toString()],
  ['x-application/json; application/x-www-form-urlencoded', fields => new URLSearchParams(fields).toString()],
  ['application/jsonx; application/x-www-form-urlencoded', JSON.stringify],
  ['application/vnd.api+json', JSON.stringify],
  ['text/plain; application/json', JSON.stringify],
  ['text/plain', JSON.stringify],
  ['application/octet-stream', JSON.stringify],
  ['application/pdf', JSON.stringify],
  ['image/png', JSON.stringify],
  ['video/mp4', JSON.stringify],
  ['application/stream', JSON.stringify],
  ['', JSON.stringify],
  [
    'multipart/form-data; boundary=b',
    fields => {
      const parts = Object.entries(fields).map(
        ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      return `${parts.join('')}--b--\r\n`;
    },
  ],
];

test.each(offeredRoutes)(
  '$path reads JSON and no other body, which the throttle could not read',
  async ({ method, path }) => {
    const { email, cookie } = await world.signUp();
    await world.inbox.next(email);
    const fields = { email, name: 'x', password: testPassword, newPassword: testPassword, token: 'x' };
    for (const [type, encode] of otherTypes) {
      const headers = { cookie, origin: world.service.url, 'content-type': type };
      const answer = await send(world.service.url + path, { method: 'POST', headers, body: encode(fields) });
      expect([type, answer.status]).toEqual([type, method === 'get' ? 405 : 415]);
    }
    expect(world.inbox.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
  },
);

test('no route of the account library answers that this service does not offer', async () => {
  const others = (await accountLibraryRoutes())
    .map(({ path }) => path.replaceAll(/:\w+/g, 'x'))
    .filter(path => !offeredPaths.has(path));
  expect(others).toEqual(
    expect.arrayContaining(['/api/auth/change-email', '/api/auth/delete-user', '/api/auth/update-user']),
  );
  const { cookie } = await world.signUp();
  for (const path of others) {
    for (const method of ['GET', 'POST']) {
      const headers = { cookie, origin: world.service.url, 'content-type': 'application/json' };
      const body = method === 'POST' ? { body: '{}' } : {};
      const answer = await send(world.service.url + path, { method, headers, ...body });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
  }
});
