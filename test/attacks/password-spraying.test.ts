import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { networksPerSite } from '../../purchase/limits.js';
import { type AttemptPolicy, attemptPolicies, type PausePolicy } from '../../purchase/pauses.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { parseSamples, total } from '../support/machine/scrape.js';
import { hasManyAddresses, localAddress, sendFrom } from '../support/service/send-from.js';
import { type Answer, cookieOf, testPassword } from '../support/service/test-caller.js';
import { useTwoServices } from '../support/use-service.js';

const { sign_in: signIns, sign_up: signUps } = attemptPolicies;
/** The first pause is as long as the longest: a busy machine may take that long for the attack. */
const patient = (policy: PausePolicy) => ({ ...policy, firstPauseSeconds: policy.longestPauseSeconds });
const patientPolicy = (policy: AttemptPolicy): AttemptPolicy => {
  const { address, account } = policy;
  return { ...policy, address: patient(address), account: account === null ? null : patient(account) };
};
const attempts = { ...attemptPolicies, sign_in: patientPolicy(signIns), sign_up: patientPolicy(signUps) };
const perAccount = signIns.account?.freeTries ?? 0;
const perAddress = signIns.address.freeTries;

const sealingKey = randomBytes(32);
const services = await useTwoServices({
  worker: false,
  limits: { attempts },
  keyRing: [{ kid: 'shared', key: sealingKey }],
  // So that a test can state IPv6 addresses.
  trustedProxies: ['127.0.0.0/8'],
});

let used = 0;
/** Each test attacks from addresses of its own. */
const newAddress = () => localAddress(0x10_0000 + used++);

let sent = 0;
const post = (path: string, address: string, body: unknown, headers = {}): Promise<Answer> =>
  sendFrom(address, `${services[sent++ % 2]?.url}/api/auth/${path}`, { body, headers });

const signIn = (address: string, email: string, password: string) =>
  post('sign-in/email', address, { email, password });
const newEmail = () => `${randomUUID()}@example.test`;
const guess = (address: string, email = newEmail()) => signIn(address, email, `guess ${randomUUID()}`);

const newOwner = async (address: string): Promise<string> => (await signedUp(address)).email;

async function signedUp(address: string): Promise<{ email: string; cookie: string }> {
  const email = newEmail();
  const body = { email, password: testPassword, name: 'Owner' };
  const answer = await sendFrom(address, `${services[0].url}/api/auth/sign-up/email`, { body });
  expect(answer.status).toBe(200);
  return { email, cookie: cookieOf(answer) };
}

/** At the service that opened the session: the other one has a secret of its own for cookies. */
function changePassword(address: string, cookie: string, currentPassword: string, more = {}) {
  const origin = services[0].url;
  const body = { currentPassword, newPassword: 'another horse battery', ...more };
  return sendFrom(address, `${origin}/api/auth/change-password`, { body, headers: { cookie, origin } });
}

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

(hasManyAddresses ? describe : describe.skip)('guessed passwords', () => {
  test('of one account are refused after a few, from whatever addresses, also all at once', async () => {
    const home = newAddress();
    const email = await newOwner(newAddress());
    // The owner has signed in from home before.
    expect((await signIn(home, email, testPassword)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 60 }, () => guess(newAddress(), email)));
    expect(statuses(guesses)).toEqual({ 401: perAccount, 429: 60 - perAccount });
    for (const refused of guesses.filter(({ status }) => status === 429))
      expectProblem(refused, 'rate_limited');
    // The right password neither, or the response would tell it.
    expectProblem(await signIn(newAddress(), email.toUpperCase(), testPassword), 'rate_limited');
    // But it does from where the owner signed in before, with a few mistakes.
    expect((await guess(home, email)).status).toBe(401);
    expect((await signIn(home, email, testPassword)).status).toBe(200);
  });

  test('of an account that does not exist are answered in the same way', async () => {
    const nobody = newEmail();
    const email = await newOwner(newAddress());
    const answersFor = async (address: string) => {
      const answers: unknown[] = [];
      for (let index = 0; index < perAccount + 2; index++) {
        const { status, body } = await guess(newAddress(), address);
        answers.push([status, body.code, body.title, body.detail.replace(/\d+/, 'N')]);
      }
      return answers;
    };
    expect(await answersFor(nobody)).toEqual(await answersFor(email));
  });

  test('of many accounts are refused from one address, and its owners are served elsewhere', async () => {
    const attacker = newAddress();
    const email = await newOwner(newAddress());
    const guesses = await Promise.all(Array.from({ length: perAddress + 20 }, () => guess(attacker)));
    expect(statuses(guesses)).toEqual({ 401: perAddress, 429: 20 });
    expectProblem(await signIn(attacker, email, testPassword), 'rate_limited');
    const throttled = await counted('council_throttled_requests_total', { limit: 'sign_in' });
    expect(throttled).toBeGreaterThanOrEqual(21);
    expect(await counted('council_sign_ins_total', { result: 'failed' })).toBeGreaterThanOrEqual(perAddress);
    expect((await signIn(newAddress(), email, testPassword)).status).toBe(200);
  });

  test('from the networks of one IPv6 site are refused together', async () => {
    const relay = newAddress();
    const from = (network: number) => `2001:db8:9:${(network << 8).toString(16)}::1`;
    const guesses = await Promise.all(
      Array.from({ length: networksPerSite * perAddress + 20 }, (_, index) => {
        const body = { email: newEmail(), password: 'a guess' };
        return post('sign-in/email', relay, body, { 'x-forwarded-for': from(index) });
      }),
    );
    expect(statuses(guesses)).toEqual({ 401: networksPerSite * perAddress, 429: 20 });
  });

  test('are not forgotten by a success at another account', async () => {
    const attacker = newAddress();
    const own = await newOwner(newAddress());
    for (let index = 0; index < perAddress; index++) {
      await guess(attacker);
      if (index % 10 === 0) expect((await signIn(attacker, own, testPassword)).status).toBe(200);
    }
    expectProblem(await guess(attacker), 'rate_limited');
  });

  test('do not keep an owner out who sets a new password from a new place', async () => {
    const email = await newOwner(newAddress());
    for (let index = 0; index < perAccount; index++) await guess(newAddress(), email);
    const place = newAddress();
    expectProblem(await signIn(place, email, testPassword), 'rate_limited');
    const token = randomUUID();
    await services[0].database.pool.query(
      `insert into auth."verification" ("id", "identifier", "value", "expiresAt", "updatedAt")
       select $1, 'reset-password:' || $1, "id", now() + interval '1 hour', now() from auth."user" where "email" = $2`,
      [token, email],
    );
    const newPassword = 'another battery';
    expect((await post('reset-password', place, { token, newPassword })).status).toBe(200);
    expect((await signIn(place, email, newPassword)).status).toBe(200);
    expectProblem(await signIn(newAddress(), email, newPassword), 'rate_limited');
  });

  test('of a session’s holder are counted for its account, from whatever addresses', async () => {
    const owner = await signedUp(newAddress());
    const guesses = await Promise.all(
      Array.from({ length: 80 }, () => changePassword(newAddress(), owner.cookie, `guess ${randomUUID()}`)),
    );
    expect(statuses(guesses)).toEqual({ 400: perAccount, 429: 80 - perAccount });
  });

  test('are not forgotten by a password changed in the name of the account', async () => {
    const attacker = newAddress();
    const own = await signedUp(attacker);
    const victim = await newOwner(newAddress());
    const answers: Answer[] = [];
    let { cookie } = own;
    let password = testPassword;
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < perAccount; index++) answers.push(await guess(attacker, victim));
      // The library ignores the address; the throttle has to, as well.
      const changed = await changePassword(attacker, cookie, password, {
        email: victim,
        newPassword: `${testPassword} ${round}`,
      });
      expect(changed.status).toBe(200);
      cookie = cookieOf(changed);
      password = `${testPassword} ${round}`;
    }
    expect(statuses(answers)).toEqual({ 401: perAccount, 429: 4 * perAccount });
  });

  test('are counted without storing an address, under a key that seals nothing', async () => {
    const email = await newOwner(newAddress());
    const address = newAddress();
    await guess(address, email);
    const { rows } = await services[0].database.pool.query('select key from throttle_counts');
    const keys: string[] = rows.map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(10);
    for (const each of keys) expect(each).toMatch(/^[a-z_-]+:[\w-]{43}$/);
    for (const subject of [[address], ['sign_in-network-tries', address]]) {
      const hash = createHmac('sha256', sealingKey).update(JSON.stringify(subject)).digest('base64url');
      expect(keys.filter(each => each.endsWith(hash))).toEqual([]);
    }
  });

  test('are forgotten when the owner signs in', async () => {
    const email = await newOwner(newAddress());
    for (let round = 0; round < 3; round++) {
      for (let index = 1; index < perAccount; index++)
        expect((await guess(newAddress(), email)).status).toBe(401);
      expect((await signIn(newAddress(), email, testPassword)).status).toBe(200);
    }
  });
});

(hasManyAddresses ? test : test.skip)(
  'a thousand sign-ups from one address open a few accounts, and nobody else is refused',
  async () => {
    const attacker = newAddress();
    const before = await opened();
    const answers: Answer[] = [];
    const signUp = () =>
      post('sign-up/email', attacker, { email: newEmail(), password: testPassword, name: 'Nobody' });
    for (let batch = 0; batch < 20; batch++)
      answers.push(...(await Promise.all(Array.from({ length: 50 }, signUp))));
    const { freeTries } = signUps.address;
    expect(statuses(answers)).toEqual({ 200: freeTries, 429: 1_000 - freeTries });
    expect((await opened()) - before).toBe(freeTries);
    await newOwner(newAddress());
  },
);

const opened = () => counted('council_sign_ups_total');

/** By both processes. */
async function counted(name: string, labels: Record<string, string> = {}): Promise<number> {
  const pages = await Promise.all(services.map(({ metrics }) => metrics.registry.metrics()));
  return pages.reduce((sum, page) => sum + total(parseSamples(page), name, labels), 0);
}
