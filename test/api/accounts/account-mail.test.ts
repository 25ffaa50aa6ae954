import { afterEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { findAccountsByEmail } from '../../../db/accounts/accounts.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { tokenIn } from '../../support/mail/mailing-service.js';
import { send } from '../../support/service/send.js';
import { cookieOf, testPassword } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useMailingService } from '../../support/use-service.js';

const world = await useMailingService({ policy: { grantNeedsVerifiedAddress: true } });
afterEach(restoreClock);

const RealDate = Date;
const newPassword = 'another horse battery';

const accountOf = async (email: string) => (await findAccountsByEmail(world.service.database.db, email))[0];
const sessionToken = async (cookie: string): Promise<string> =>
  (await world.auth('token', undefined, { cookie })).body.token;
const balanceOf = async (cookie: string) =>
  send(`${world.service.url}/api/credits/balance`, {
    headers: { authorization: `Bearer ${await sessionToken(cookie)}` },
  });

/** Where a link leads. */
const open = async (link: string): Promise<string | null> => {
  const answer = await send(link);
  expect(answer.status).toBe(302);
  return answer.headers.get('location');
};

/** Moves the clock of everything in this process. Timers go on as before. */
function moveClock(hours: number): void {
  const now = () => RealDate.now() + hours * 3_600_000;
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, given) => (given.length === 0 ? new date(now()) : Reflect.construct(date, given)),
    get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  });
}

function restoreClock(): void {
  globalThis.Date = RealDate;
}

describe('the link that verifies an address', () => {
  test('verifies the account at once, and makes the free report available', async () => {
    const { email, cookie } = await world.signUp();
    const grant = async () => (await balanceOf(cookie)).body.weekly_grant;
    expect(await grant()).toMatchObject({ available: false, needs_verified_email: true });
    expect(decodeJwt(await sessionToken(cookie))).toMatchObject({ email_verified: false });
    const mail = await world.inbox.next(email);
    expect(mail).toMatchObject({ to: [email], from: 'council@example.test' });
    expect(mail.html).toContain(`href="${mail.link}"`);
    expect(await open(mail.link)).toBe('/email-verified');
    const verified = await accountOf(email);
    expect(verified?.emailVerifiedAt).toEqual(expect.any(Date));
    expect(await grant()).toMatchObject({ available: true, needs_verified_email: false });
    expect(decodeJwt(await sessionToken(cookie))).toMatchObject({ email_verified: true });
    expect(await open(mail.link)).toBe('/email-verified');
    expect(await accountOf(email)).toEqual(verified);
  });

  test('opens the account of a user who has never used the API, and signs nobody in', async () => {
    const { email } = await world.signUp();
    expect(await accountOf(email)).toBeUndefined();
    const answer = await send((await world.inbox.next(email)).link);
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await accountOf(email)).toMatchObject({ emailVerifiedAt: expect.any(Date) });
  });

  test('does nothing after a day, or changed by a character', async () => {
    const { email } = await world.signUp();
    const { link } = await world.inbox.next(email);
    // Within the signature, but not its last character: some of that one's bits mean nothing.
    const at = link.length - 10;
    const changed = `${link.slice(0, at)}${link[at] === 'A' ? 'B' : 'A'}${link.slice(at + 1)}`;
    expect(await open(changed)).toBe('/email-verified?error=INVALID_TOKEN');
    moveClock(24.1);
    expect(await open(link)).toBe('/email-verified?error=TOKEN_EXPIRED');
    restoreClock();
    expect(await accountOf(email)).toBeUndefined();
    expect(await open(link)).toBe('/email-verified');
  });

  test('is sent again on request, until the address is verified', async () => {
    const { email, cookie } = await world.signUp();
    await world.inbox.next(email);
    const again = () =>
      world.auth('send-verification-email', { email }, { cookie, origin: world.service.url });
    expect((await again()).status).toBe(200);
    await open((await world.inbox.next(email)).link);
    expectProblem(await again(), 'invalid_request');
  });
});

describe('the link to a new password', () => {
  const request = (email: string) => world.auth('request-password-reset', { email });
  const reset = (link: string) => world.auth('reset-password', { token: tokenIn(link), newPassword });
  const signIn = (email: string, password: string) => world.auth('sign-in/email', { email, password });

  test('works once, ends all sessions and verifies the address', async () => {
    const { email, cookie } = await world.signUp();
    await world.inbox.next(email);
    const other = cookieOf(await signIn(email, testPassword));
    const authorization = `Bearer ${await sessionToken(other)}`;
    expect((await request(email)).status).toBe(200);
    const { link } = await world.inbox.next(email);
    expect(link).toMatch(`${world.service.url}/new-password?token=`);
    expect((await reset(link)).status).toBe(200);
    for (const session of [cookie, other])
      expectProblem(await world.auth('token', undefined, { cookie: session }), 'unauthenticated');
    const balance = `${world.service.url}/api/credits/balance`;
    expectProblem(await send(balance, { headers: { authorization } }), 'unauthenticated');
    expectProblem(await signIn(email, testPassword), 'unauthenticated');
    expect((await signIn(email, newPassword)).body.user).toMatchObject({ emailVerified: true });
    expect(await accountOf(email)).toMatchObject({ emailVerifiedAt: expect.any(Date) });
    expectProblem(await reset(link), 'invalid_request');
  });

  test('does nothing after an hour, and is not used up by a password that is too short', async () => {
    const { email } = await world.signUp();
    await world.inbox.next(email);
    await request(email);
    const { link } = await world.inbox.next(email);
    moveClock(1.1);
    expectProblem(await reset(link), 'invalid_request');
    restoreClock();
    expect((await signIn(email, testPassword)).status).toBe(200);

    await request(email);
    const next = await world.inbox.next(email);
    const short = await world.auth('reset-password', { token: tokenIn(next.link), newPassword: 'short' });
    expectProblem(short, 'invalid_request');
    expect((await reset(next.link)).status).toBe(200);
  });

  test('leaves the keys and webhooks of a verified account', async () => {
    const caller = await world.service.newCaller();
    await open((await world.inbox.next(caller.email)).link);
    await caller.put('/api/provider-keys/openai', { key: 'sk-of-the-owner' }, { as: 'session' });
    const webhook = { url: 'https://hooks.example.com/', types: ['report.completed'] };
    await caller.post('/api/webhooks', webhook, { as: 'session' });
    await request(caller.email);
    await reset((await world.inbox.next(caller.email)).link);
    expect((await caller.get('/api/credits/balance')).status).toBe(200);
    const { rows } = await world.service.database.pool.query(
      'select provider from provider_keys where account_id = $1',
      [caller.accountId],
    );
    expect(rows).toEqual([{ provider: 'openai' }]);
    const endpoints = 'select 1 from webhook_endpoints where account_id = $1';
    const { rows: kept } = await world.service.database.pool.query(endpoints, [caller.accountId]);
    expect(kept).toHaveLength(1);
  });
});

test('a mail server that is down neither fails nor delays a sign-up, and gets the mail later', async () => {
  world.inbox.refuseWith(451);
  const { email, answer } = await world.signUp();
  expect(answer.status).toBe(200);
  await until('it is refused', () => world.inbox.refused > 0);
  world.inbox.refuseWith(null);
  expect((await world.inbox.next(email)).subject).toBe('Confirm your e-mail address');
});
