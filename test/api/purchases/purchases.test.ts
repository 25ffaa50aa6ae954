import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { send } from '../../support/service/send.js';
import { setPrice } from '../../support/service/set-price.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ stageDeadlinesMs: longDeadlines });

const check = (caller: TestCaller, eventId: string) => caller.get(`/api/reports/check/${eventId}`);

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('prices are public, and the balance shows the purchased credits and the worth of the weekly grant', async () => {
  await setPrice(service.database.db, 121);
  const { body: prices } = await send(`${service.url}/api/credits/pricing`);
  expect(prices).toEqual({ fresh_credits: 121, cached_credits: 61, byok_credits: 50 });
  const caller = await service.newCaller(321);
  expect((await caller.get('/api/credits/balance')).body).toEqual({
    balance_credits: 321,
    owed_credits: 0,
    weekly_grant: {
      available: expect.any(Boolean),
      needs_verified_email: false,
      worth_credits: 121,
      resets_at: timestamp,
    },
  });
});

test('a run continues when the key that bought it is revoked', async () => {
  const caller = await service.newCaller(500);
  const session = { as: 'session' } as const;
  const [{ id }] = (await caller.get('/api/keys', session)).body.keys;
  const letGo = service.simulator.hold({ model: 'grok' });
  const { body } = await caller.buy('sample-great-quake-2031');
  expect((await caller.delete(`/api/keys/${id}`, session)).status).toBe(204);
  letGo();
  const read = () => caller.get(`/api/reports/${body.report_id}`, session);
  const { body: report } = await until('it has ended', read, ({ body }) => body.completed_at !== null);
  expect(report).toMatchObject({ status: 'completed', api_key_id: id });
});

describe('one event, three accounts', () => {
  const eventId = 'sample-fed-cut-2031';
  let first: TestCaller;
  let second: TestCaller;
  let reportId: number;
  let release: () => void;

  beforeAll(async () => {
    first = await service.newCaller(1_000);
    second = await service.newCaller(1_000);
    await setPrice(service.database.db, 120);
  });

  test('a check returns the price of a fresh report, spends nothing and records nothing', async () => {
    const before = await footprint(service);
    for (let i = 0; i < 3; i++) {
      const { status, body } = await check(first, eventId);
      expect(status).toBe(200);
      expect(body).toMatchObject({ has_cached_report: false, already_purchased: false, cost_credits: 120 });
      expect(body).toMatchObject({
        lane: 'credits',
        pool: 'purchased',
        pricing: { fresh_credits: 120, cached_credits: 60, byok_credits: 50 },
      });
      expect(body).not.toHaveProperty('report_id');
    }
    expect(await footprint(service)).toEqual(before);
    expect(await hasWorkflow(service, first.accountId, eventId)).toBe(false);
  });

  test('a fresh report is accepted, with its location, when to read it, and how many runs are left', async () => {
    release = service.simulator.hold({ stage: 'opinions' });
    const { status, headers, body } = await first.buy(eventId);
    reportId = body.report_id;
    expect(status).toBe(202);
    expect(body).toEqual({
      report_id: expect.any(Number),
      status: 'pending',
      cached: false,
      credits_spent: 120,
      pool: 'purchased',
      lane: 'credits',
    });
    expect(headers.get('location')).toBe(`/api/reports/${reportId}`);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(headers.get('ratelimit-policy')).toBe('"runs";q=5;w=3600');
    expect(headers.get('ratelimit')).toBe('"runs";r=4;t=0');
    expect(await first.balance()).toBe(880);
  });

  test('while it is in flight, it is free for its owner, and another account starts its own run', async () => {
    for (let i = 0; i < 6; i++) {
      const { status, headers, body } = await first.buy(eventId);
      expect(status).toBe(200);
      expect(body).toMatchObject({ report_id: reportId, cached: false, credits_spent: 0 });
      expect(['pending', 'processing']).toContain(body.status);
      expect(headers.get('ratelimit')).toBe('"runs";r=4;t=0');
    }
    const owned = { already_purchased: true, report_id: reportId, cost_credits: 0 };
    expect((await check(first, eventId)).body).toMatchObject({ ...owned, has_cached_report: false });
    const foreign = { has_cached_report: false, already_purchased: false, cost_credits: 120 };
    expect((await check(second, eventId)).body).toMatchObject(foreign);
    const third = await service.newCaller(500);
    const own = await third.buy(eventId);
    expect(own.status).toBe(202);
    expect(own.body.report_id).not.toBe(reportId);
    release();
    await third.untilEnded(own.body.report_id);
    expect((await first.untilEnded(reportId)).status).toBe('completed');
  });

  test('once it is completed, it is free for its owner', async () => {
    const { status, headers, body } = await first.buy(eventId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ report_id: reportId, status: 'completed', credits_spent: 0 });
    expect(headers.get('location')).toBe(`/api/reports/${reportId}`);
    const owned = { already_purchased: true, report_id: reportId, cost_credits: 0 };
    expect((await check(first, eventId)).body).toMatchObject({ ...owned, has_cached_report: true });
    expect(await first.balance()).toBe(880);
  });

  test('another account sees that it is cached, buys it at half price, and then owns it too', async () => {
    await setPrice(service.database.db, 121);
    const checked = (await check(second, eventId)).body;
    expect(checked).toMatchObject({ has_cached_report: true, already_purchased: false, cost_credits: 61 });
    expect(checked).not.toHaveProperty('report_id');
    const bought = await second.buy(eventId);
    expect(bought.status).toBe(200);
    expect(bought.body).toEqual({
      report_id: expect.any(Number),
      status: 'completed',
      cached: true,
      credits_spent: 61,
      pool: 'purchased',
      lane: 'credits',
    });
    expect(bought.headers.get('ratelimit')).toBe('"runs";r=5;t=0');
    expect(bought.headers.get('retry-after')).toBeNull();
    const read = await second.get(bought.headers.get('location') ?? '');
    expect(read.body).toMatchObject({ id: bought.body.report_id, status: 'completed', cached: true });
    expect((await second.buy(eventId)).body).toMatchObject({ credits_spent: 0 });
    expect(await second.balance()).toBe(939);
  });

  test('on the next day it is neither cached nor owned', async () => {
    service.clock.offsetMs = 86_400_000;
    try {
      const { body } = await check(first, eventId);
      expect(body).toMatchObject({ has_cached_report: false, already_purchased: false, cost_credits: 121 });
    } finally {
      service.clock.offsetMs = 0;
    }
  });

  test('the ledger lists every entry, newest first, with its API key and the balance after it', async () => {
    const [{ id: keyId }] = (await first.get('/api/keys', { as: 'session' })).body.keys;
    const { status, body } = await first.get('/api/credits/ledger');
    expect(status).toBe(200);
    const entry = { id: expect.any(Number), at: timestamp, pool: 'purchased' };
    const charge = { kind: 'charge', amount_credits: -120, report_id: reportId, api_key_id: keyId };
    const grant = { kind: 'grant', amount_credits: 1_000, report_id: null, api_key_id: null };
    const entries = [
      { ...entry, ...charge, balance_after: 880 },
      { ...entry, ...grant, balance_after: 1_000 },
    ];
    expect(body).toEqual({ entries, page: 1, per_page: 20, total: 2 });
    const paged = await first.get('/api/credits/ledger?page=2&per_page=1');
    expect(paged.body).toEqual({ entries: [body.entries[1]], page: 2, per_page: 1, total: 2 });
    expect((await first.get('/api/credits/ledger?page=9')).body).toMatchObject({ entries: [], total: 2 });
  });
});

const withKey = (key: string) => ({ 'idempotency-key': key });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const gist = ({ status, headers, body }: Answer) => ({ status, location: headers.get('location'), body });
const charges = async (caller: TestCaller): Promise<number[]> =>
  (await caller.ledger()).filter(({ kind }) => kind === 'charge').map(entry => entry.amount_credits);

describe('the same Idempotency-Key', () => {
  const cached = 'sample-fed-cut-2031';

  test('replays the answer to a fresh purchase and charges once, also after the run has ended', async () => {
    const caller = await service.newCaller(1_000);
    await setPrice(service.database.db, 120);
    const buy = () => caller.buy('sample-crewed-moon-landing-2031', {}, withKey('a'));
    const first = await buy();
    expect([first.status, replayed(first)]).toEqual([202, null]);
    const second = await buy();
    await caller.untilEnded(first.body.report_id);
    for (const again of [second, await buy()]) {
      expect(gist(again)).toEqual(gist(first));
      expect(replayed(again)).toBe('true');
    }
    expect(await charges(caller)).toEqual([-120]);
  });

  test('replays the answer to a cached purchase, and compares the fields of a request, not its formatting', async () => {
    const caller = await service.newCaller(1_000);
    await setPrice(service.database.db, 120);
    const buy = (body: string) => caller.post('/api/reports', body, { headers: withKey('c') });
    const first = await buy(`{"event_id":"${cached}","quoted_credits":60}`);
    expect(first).toMatchObject({ status: 200, body: { cached: true, credits_spent: 60 } });
    const again = await buy(` {"quoted_credits":60.0,\n"event_id":"${cached}"} `);
    expect(gist(again)).toEqual(gist(first));
    expect(replayed(again)).toBe('true');
    expect(await charges(caller)).toEqual([-60]);
  });

  test('with another body is refused, and nothing is recorded', async () => {
    const caller = await service.newCaller(1_000);
    await caller.buy(cached, {}, withKey('d'));
    const before = await footprint(service);
    for (const answer of [
      await caller.buy('sample-bitcoin-high-2031', {}, withKey('d')),
      await caller.buy(cached, { quoted_credits: 60 }, withKey('d')),
      await caller.buy(cached, { lane: 'credits' }, withKey('d')),
    ])
      expectProblem(answer, 'idempotency_mismatch');
    expect(await footprint(service)).toEqual(before);
  });

  test('has 1 to 255 characters', async () => {
    const caller = await service.newCaller(1_000);
    for (const key of ['', '   ', 'x'.repeat(256)])
      expectInvalid(await caller.buy(cached, {}, withKey(key)), ['Idempotency-Key']);
    expect(await charges(caller)).toEqual([]);
    expect((await caller.buy(cached, {}, withKey('x'.repeat(255)))).status).toBe(200);
  });

  test('in concurrent requests for different events buys one of them', async () => {
    const caller = await service.newCaller(1_000);
    const events = ['sample-oil-ladder-2031', 'sample-harbour-cup-final-2031', 'sample-ridge-derby-2031'];
    const answers = await Promise.all(events.map(event => caller.buy(event, {}, withKey('g'))));
    const bought = answers.filter(({ status }) => status === 202);
    expect(bought).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 202) expectProblem(answer, 'idempotency_mismatch');
    expect(await charges(caller)).toHaveLength(1);
    await caller.untilEnded(bought[0]?.body.report_id);
  });
});

describe('of many identical concurrent requests', () => {
  const repeat = (times: number, buy: () => Promise<Answer>) =>
    Promise.all(Array.from({ length: times }, buy));

  test('with a key, all get the same answer, and one is charged', async () => {
    const caller = await service.newCaller(10_000);
    await setPrice(service.database.db, 120);
    const answers = await repeat(20, () => caller.buy('sample-hottest-year-2031', {}, withKey('f')));
    const [first] = answers;
    expect(first).toMatchObject({ status: 202, body: { credits_spent: 120, status: 'pending' } });
    for (const answer of answers) expect(gist(answer)).toEqual(first && gist(first));
    expect(answers.filter(answer => replayed(answer) === null)).toHaveLength(1);
    expect(await charges(caller)).toEqual([-120]);
    await caller.untilEnded(first?.body.report_id);
  });

  test('for a cached report, one is charged, and the others own it', async () => {
    const caller = await service.newCaller(10_000);
    await setPrice(service.database.db, 120);
    const sales = await repeat(50, () => caller.buy('sample-hottest-year-2031'));
    expect(sales.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(sales.filter(({ body }) => body.credits_spent === 60)).toHaveLength(1);
    expect(await charges(caller)).toEqual([-60]);
  });
});
