import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { secondsToNextUtcDay } from '../../council/calendar.js';
import { markEmailVerified } from '../../db/accounts/accounts.js';
import { apiKeyHash, mintApiKey } from '../../db/accounts/api-keys.js';
import { suspendAccount } from '../../db/accounts/standing.js';
import { auditBooks } from '../../db/audit/audit-books.js';
import { readHouseToday } from '../../db/house/house-day.js';
import { displayPrefix, makeApiKey } from '../../purchase/api-key.js';
import { newAccount } from '../db/support/test-world.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { send } from '../support/service/send.js';
import type { Answer } from '../support/service/test-caller.js';
import { longDeadlines, startTestService, type TestService } from '../support/service/test-service.js';
import { until } from '../support/until.js';
import { useTwoServices } from '../support/use-service.js';

/**
 * A ceiling of 1 USD, two API processes with their workers on one database, and strangers who want reports at the
 * house's cost. Before any run has ended, one is expected to cost 0.40 USD: three reach the ceiling.
 */
const oneDollar = { houseLimitUsdMicros: 1_000_000 };
const event = 'sample-fed-cut-2031';
const other = 'sample-bitcoin-high-2031';

const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
const services = await useTwoServices({ policy: oneDollar, stageDeadlinesMs: longDeadlines, log });
// Noon of tomorrow, whatever the time: no test here spans midnight by chance.
const now = new Date();
for (const { clock } of services) clock.offsetMs = new Date(now).setUTCHours(36, 0, 0, 0) - now.getTime();

/** An account with an API key, without the cost of signing up. With an address it has a weekly grant. */
async function account(
  credits = 500,
  email: string | null = null,
): Promise<{ readonly id: string; readonly key: string }> {
  const { db, pool } = services[0].database;
  const id = await newAccount(db, credits, email !== null);
  await pool.query('update accounts set email = $1 where id = $2', [email, id]);
  const key = makeApiKey(randomBytes);
  const now = new Date();
  const stored = { id: randomUUID(), accountId: id, name: 'test', keyPrefix: displayPrefix(key), now };
  await mintApiKey(db, { ...stored, keyHash: apiKeyHash(key) });
  return { id, key };
}

const buy = (service: TestService, key: string, body: object = {}, headers: Record<string, string> = {}) =>
  send(`${service.url}/api/reports`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ event_id: event, ...body }),
  });
const read = (service: TestService, key: string, path: string) =>
  send(service.url + path, { headers: { 'x-api-key': key } });
const check = (service: TestService, key: string) => read(service, key, `/api/reports/check/${event}`);

/** All of them through both APIs, as many at once as a busy machine can start within the time of a purchase. */
async function buyAll(keys: readonly string[]) {
  const waiting = [...keys.entries()];
  const answers = new Array<Answer>();
  const buyer = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, key] = next;
      const answer = await buy(services[index % 2 === 0 ? 0 : 1], key);
      // Nothing was charged: the machine was too busy.
      if (answer.body.code === 'unavailable') waiting.push(next);
      else answers[index] = answer;
    }
  };
  await Promise.all(Array.from({ length: buyersAtOnce }, buyer));
  return answers;
}

const buyersAtOnce = 10;

describe('with a ceiling of 1 USD', () => {
  test('100 accounts at once through two APIs get three runs, and the others are charged nothing', async () => {
    const [first, second] = services;
    const releases = services.map(({ simulator }) => simulator.hold({ stage: 'opinions' }));
    const accounts = await Promise.all(Array.from({ length: 100 }, () => account()));
    const answers = await buyAll(accounts.map(({ key }) => key));
    const sold = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(sold).toHaveLength(3);
    for (const answer of refused) expectProblem(answer, 'house_limit_reached');
    const wait = Number(refused[0]?.headers.get('retry-after'));
    const toMidnight = secondsToNextUtcDay(new Date(Date.now() + first.clock.offsetMs));
    expect(Math.abs(wait - toMidnight)).toBeLessThan(300);
    const { rows } = await first.database.pool.query(
      `select count(*)::int as charges, sum(credits)::int as credits from report_purchases where state = 'charged'`,
    );
    expect(rows).toEqual([{ charges: 3, credits: 360 }]);
    expect((await auditBooks(first.database.db, new Date(0))).drift).toEqual([]);

    const stranger = await account();
    expectProblem(await check(second, stranger.key), 'house_limit_reached');
    const now = new Date(Date.now() + first.clock.offsetMs);
    const { all } = await readHouseToday(first.database.db, { simulated: true, now });
    expect(all).toEqual({ spentUsdMicros: 0, committedUsdMicros: 1_200_000, openRuns: 3 });

    // The owners of the three go on: their repeats cost nothing, and their reports end.
    const owner = accounts[answers.findIndex(({ status }) => status === 202)];
    expect((await buy(second, owner?.key ?? '')).body).toMatchObject({ credits_spent: 0 });
    for (const release of releases) release();
  });

  test('the log names each share that the day has reached once, in one of the processes', () => {
    const noticed = logged.map(line => JSON.parse(line)).filter(({ msg }) => msg.includes('daily ceiling'));
    expect(noticed.map(({ percent }) => percent).sort((a, b) => a - b)).toEqual([50, 80, 100]);
  });

  test('a report that exists is sold, and the next day goes on', async () => {
    const [first, second] = services;
    const cached = await account();
    await until('a report is completed', async () => {
      const { status, body } = await check(first, cached.key);
      return status === 200 && body.has_cached_report === true;
    });
    expect((await buy(first, cached.key)).body).toMatchObject({ cached: true, pool: 'purchased' });
    for (const service of services) service.clock.offsetMs += 24 * 3_600_000;
    const tomorrow = await account();
    expect((await check(second, tomorrow.key)).body).toMatchObject({ cost_credits: expect.any(Number) });
    expect((await buy(second, tomorrow.key)).status).toBe(202);
  });

  test('a suspended account buys nothing through either API, and reads what it owns', async () => {
    const { key, id } = await account();
    await suspendAccount(services[0].database.db, { accountId: id, reason: 'test', now: new Date() });
    for (const service of services) {
      expectProblem(await buy(service, key), 'account_suspended');
      expectProblem(await check(service, key), 'account_suspended');
      expect((await read(service, key, '/api/reports')).status).toBe(200);
    }
  });
});

test('made-up addresses get no free report, and verified ones no more than the ceiling allows', async () => {
  const service = await startTestService({
    policy: { grantNeedsVerifiedAddress: true, grantLimitUsdMicros: 1 },
    database: services[0].database,
    stageDeadlinesMs: longDeadlines,
  });
  try {
    const free = () => service.newCaller(0, { weeklyGrant: true });
    const [madeUp, owner] = [await free(), await free()];
    const late = await service.newCaller(500, { weeklyGrant: true });
    // After signing up: sessions end with the clock.
    service.clock.offsetMs = services[0].clock.offsetMs + 7 * 24 * 3_600_000;
    expectProblem(await madeUp.buy(event), 'insufficient_credits');
    expect((await madeUp.get(`/api/reports/check/${event}`)).body).toMatchObject({ pool: 'purchased' });
    expect((await madeUp.get('/api/credits/balance')).body.weekly_grant.available).toBe(false);

    for (const { accountId } of [owner, late]) {
      await markEmailVerified(service.database.db, accountId, new Date());
    }
    expect((await owner.get('/api/credits/balance')).body.weekly_grant.available).toBe(true);
    expect((await owner.buy(event)).body).toMatchObject({ pool: 'weekly_grant' });

    // The grants' ceiling is reached. Credits pay only for a caller who names them, as the check does.
    const { body: offer } = await late.get(`/api/reports/check/${other}`);
    expect(offer).toMatchObject({ pool: 'purchased', cost_credits: expect.any(Number) });
    const quoted_credits = offer.cost_credits;
    expectProblem(await late.buy(other, { quoted_credits }), 'house_limit_reached');
    expect(await late.balance()).toBe(500);
    const paid = await late.buy(other, { quoted_credits, quoted_pool: offer.pool });
    expect(paid.body).toMatchObject({ pool: 'purchased' });
    expect((await late.get('/api/credits/balance')).body.weekly_grant.available).toBe(true);
    expect((await service.metrics.weeklyGrantsUsed.get()).values).toMatchObject([{ value: 1 }]);
  } finally {
    await service.stop();
  }
});

describe('with weekly grants for everybody, behind a proxy', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({
      database: services[0].database,
      stageDeadlinesMs: longDeadlines,
      trustedProxies: ['127.0.0.1'],
    });
    service.clock.offsetMs = services[0].clock.offsetMs + 21 * 24 * 3_600_000;
  });
  afterAll(() => service.stop());

  /** So that each needs a run: a report that is completed is sold to the others. */
  let release: () => void;
  beforeEach(() => {
    release = service.simulator.hold({ stage: 'opinions' });
  });
  afterEach(() => release());

  /** A purchase through the proxy; again if the machine was too busy, because then nothing was charged. */
  async function buyFrom(address: string, key: string, event_id = event): Promise<Answer> {
    const answer = await buy(service, key, { event_id }, { 'x-forwarded-for': address });
    return answer.body.code === 'unavailable' ? buyFrom(address, key, event_id) : answer;
  }

  const isFree = ({ body }: { body: any }) => body.pool === 'weekly_grant';

  test('ten accounts of one mailbox at once, each from elsewhere, get one free report', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `one.person+${index}@gmail.test`);
    const people = await Promise.all(names.map(name => account(0, name)));
    const answers = await Promise.all(people.map(({ key }, index) => buyFrom(`198.51.100.${index}`, key)));
    expect(answers.filter(isFree)).toHaveLength(1);
    for (const each of answers) if (!isFree(each)) expectProblem(each, 'insufficient_credits');
    const late = people[answers.findIndex(answer => !isFree(answer))];
    const { body: balance } = await read(service, late?.key ?? '', '/api/credits/balance');
    expect(balance.weekly_grant).toMatchObject({ available: false });
    expect((await check(service, late?.key ?? '')).body).toMatchObject({ pool: 'purchased' });
  });

  test('five mailboxes in one network get three free reports a day', async () => {
    const people = await Promise.all([0, 1, 2, 3, 4].map(index => account(0, `person-${index}@office.test`)));
    const answers = await Promise.all(people.map(({ key }) => buyFrom('203.0.113.7', key, other)));
    expect(answers.filter(isFree)).toHaveLength(3);
    for (const each of answers) if (!isFree(each)) expectProblem(each, 'house_limit_reached');
    const late = people[answers.findIndex(answer => !isFree(answer))];
    expect(isFree(await buyFrom('203.0.113.8', late?.key ?? '', other))).toBe(true);
  });
});
