import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { footprint } from '../../support/machine/footprint.js';
import { setPrice } from '../../support/service/set-price.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const cached = 'sample-fed-cut-2031';

const service = await useTestService();

beforeAll(async () => {
  const seller = await service.newCaller(1_000);
  const { body } = await seller.buy(cached);
  await seller.untilEnded(body.report_id);
  await setPrice(service.database.db, 120);
});

const withKey = (key: string) => ({ 'idempotency-key': key });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const gist = ({ status, headers, body }: Answer) => ({ status, location: headers.get('location'), body });

async function charges(caller: TestCaller): Promise<number[]> {
  const entries = await caller.ledger();
  return entries.filter(({ kind }) => kind === 'charge').map(entry => entry.amount_credits);
}

describe('the same Idempotency-Key', () => {
  test('replays the answer to a fresh purchase and charges once, also after the run has ended', async () => {
    const caller = await service.newCaller(1_000);
    const first = await caller.buy('sample-crewed-moon-landing-2031', {}, withKey('a'));
    expect(first.status).toBe(202);
    expect(replayed(first)).toBeNull();
    const second = await caller.buy('sample-crewed-moon-landing-2031', {}, withKey('a'));
    await caller.untilEnded(first.body.report_id);
    const third = await caller.buy('sample-crewed-moon-landing-2031', {}, withKey('a'));
    for (const again of [second, third]) {
      expect(gist(again)).toEqual(gist(first));
      expect(replayed(again)).toBe('true');
    }
    expect(await charges(caller)).toEqual([-120]);
  });

  test('replays the answer to a cached purchase', async () => {
    const caller = await service.newCaller(1_000);
    await setPrice(service.database.db, 120);
    const first = await caller.buy(cached, { quoted_credits: 60 }, withKey('b'));
    expect(first).toMatchObject({ status: 200, body: { cached: true, credits_spent: 60 } });
    const again = await caller.buy(cached, { quoted_credits: 60 }, withKey('b'));
    expect(gist(again)).toEqual(gist(first));
    expect(replayed(again)).toBe('true');
    expect(await charges(caller)).toEqual([-60]);
  });

  test('compares the fields of a request, not its formatting', async () => {
    const caller = await service.newCaller(1_000);
    const first = await caller.post('/api/reports', `{"event_id":"${cached}","quoted_credits":60}`, {
      headers: withKey('c'),
    });
    const again = await caller.post('/api/reports', ` {"quoted_credits":60.0,\n"event_id":"${cached}"} `, {
      headers: withKey('c'),
    });
    expect(gist(again)).toEqual(gist(first));
    expect(replayed(again)).toBe('true');
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

  test('in twenty concurrent requests is one debit and twenty identical answers', async () => {
    const caller = await service.newCaller(1_000);
    await setPrice(service.database.db, 120);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => caller.buy('sample-hottest-year-2031', {}, withKey('f'))),
    );
    const [first] = answers;
    expect(first).toMatchObject({ status: 202, body: { credits_spent: 120, status: 'pending' } });
    for (const answer of answers) expect(gist(answer)).toEqual(first && gist(first));
    expect(answers.filter(answer => replayed(answer) === null)).toHaveLength(1);
    expect(await charges(caller)).toEqual([-120]);
    await caller.untilEnded(first?.body.report_id);
  });

  test('in concurrent requests for different events buys one of them', async () => {
    const caller = await service.newCaller(1_000);
    const events = ['sample-great-quake-2031', 'sample-harbour-cup-final-2031', 'sample-ridge-derby-2031'];
    const answers = await Promise.all(events.map(eventId => caller.buy(eventId, {}, withKey('g'))));
    const bought = answers.filter(({ status }) => status === 202);
    expect(bought).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 202) expectProblem(answer, 'idempotency_mismatch');
    expect(await charges(caller)).toHaveLength(1);
    await caller.untilEnded(bought[0]?.body.report_id);
  });
});

describe('without an Idempotency-Key', () => {
  test('fifty identical concurrent requests are one debit and one report', async () => {
    const caller = await service.newCaller(10_000);
    await setPrice(service.database.db, 120);
    const buy = () => caller.buy('sample-song-contest-2031', { quoted_credits: 120 });
    const answers = await Promise.all(Array.from({ length: 50 }, buy));
    expect(new Set(answers.map(({ body }) => body.report_id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(answers.reduce((sum, { body }) => sum + body.credits_spent, 0)).toBe(120);
    expect(await charges(caller)).toEqual([-120]);
    expect(await caller.balance()).toBe(9_880);
    expect((await caller.get('/api/reports')).body.total).toBe(1);
    await caller.untilEnded(answers[0]?.body.report_id);
  });

  test('fifty identical concurrent requests for a cached report are one debit', async () => {
    const caller = await service.newCaller(10_000);
    await setPrice(service.database.db, 120);
    const answers = await Promise.all(Array.from({ length: 50 }, () => caller.buy(cached)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.credits_spent === 60)).toHaveLength(1);
    expect(await charges(caller)).toEqual([-60]);
  });
});
