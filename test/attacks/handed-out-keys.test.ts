import { afterEach, describe, expect, test } from '@jest/globals';
import { ToolUser } from '../mcp/support/clients.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { send } from '../support/service/send.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { useTwoServices } from '../support/use-service.js';

/** What the holder of a key that was handed out tries, at two API processes and through every door. */
const markets = createSampleEventCopies();
const services = await useTwoServices({ markets });
const [service, other] = services;

afterEach(() => {
  for (const { clock } of services) clock.stoppedAtMs = undefined;
});

const newEvent = () => markets.retell('sample-fed-cut-2031');

async function handOut(limits: object) {
  const owner = await service.newCaller(5_000);
  const minted = await owner.post('/api/keys', { name: 'handed out', ...limits }, { as: 'session' });
  return { owner, key: minted.body.key as string };
}

const ask = (key: string, path: string, body?: object, at = service.url) =>
  send(at + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const buy = (key: string, at?: string, more: object = {}) =>
  ask(key, '/api/reports', { event_id: newEvent(), ...more }, at);

/** A purchase that waits too long behind the others, as on a busy machine, charges nothing and is sent again. */
async function buyInTheEnd(key: string, at: string) {
  for (;;) {
    const answer = await buy(key, at);
    if (answer.status !== 503) return answer;
  }
}

const spentBy = async (owner: TestCaller) => 5_000 - (await owner.balance());

describe('a key that may only read', () => {
  test('buys nothing on any lane, with any key of idempotency, in either header', async () => {
    const { owner, key } = await handOut({ scope: 'read' });
    for (const lane of ['credits', 'subscription', 'byok'])
      expectProblem(await buy(key, undefined, { lane }), 'scope_insufficient');
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'again',
    };
    const body = JSON.stringify({ event_id: newEvent() });
    const answer = await send(`${service.url}/api/reports`, { method: 'POST', headers, body });
    expectProblem(answer, 'scope_insufficient');
    expectProblem(await ask(key, '/api/billing/checkout', { pack_id: 'starter' }), 'scope_insufficient');
    expect((await ask(key, `/api/reports/check/${newEvent()}`)).status).toBe(200);
    expect(await spentBy(owner)).toBe(0);
  });

  test('buys nothing through the tools either, whose next step says why', async () => {
    const { owner, key } = await handOut({ scope: 'read' });
    const user = await ToolUser.overHttp(service.url, { 'x-api-key': key });
    const { isError, data, text } = await user.call('run_report', { event_id: newEvent(), max_credits: 500 });
    expect(isError).toBe(true);
    expect(JSON.stringify(data)).toContain('scope_insufficient');
    expect(text).toMatch(/may only read/);
    expect(await spentBy(owner)).toBe(0);
  });
});

describe('a key that has expired', () => {
  test('is refused by every process and by the tools from its end on, and a report that runs goes on', async () => {
    const end = Date.now() + 60_000;
    const { owner, key } = await handOut({ expires_at: new Date(end).toISOString() });
    const { body } = await buy(key);
    for (const { clock } of services) clock.stoppedAtMs = end;
    for (const { url } of services) {
      for (const path of ['/api/credits/balance', `/api/reports/${body.report_id}`, '/api/credits/ledger'])
        expectProblem(await ask(key, path, undefined, url), 'unauthenticated');
      expectProblem(await buy(key, url), 'unauthenticated');
      const tools = fetch(`${url}/mcp`, { method: 'POST', headers: { 'x-api-key': key }, body: '{}' });
      expect((await tools).status).toBe(401);
    }
    for (const { clock } of services) clock.stoppedAtMs = undefined;
    expect(await owner.untilEnded(body.report_id)).toMatchObject({ status: 'completed' });
  });
});

describe('a key that may spend three reports a day', () => {
  test('buys three of fifty at once, at two processes', async () => {
    const { owner } = await handOut({});
    const { cost_credits: cost } = (await owner.get(`/api/reports/check/${newEvent()}`)).body;
    const { key } = (
      await owner.post('/api/keys', { name: 'three', max_credits_per_day: 3 * cost }, { as: 'session' })
    ).body;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => buyInTheEnd(key, index % 2 === 0 ? service.url : other.url)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 202);
    for (const answer of refused) expectProblem(answer, 'key_limit_reached_today');
    expect(refused[0]?.body).toMatchObject({ max_credits_per_day: 3 * cost });
    const spent = await spentBy(owner);
    expect(spent).toBeGreaterThan(2 * cost);
    expect(spent).toBeLessThanOrEqual(3 * cost);
    const check = await ask(key, `/api/reports/check/${newEvent()}`);
    expectProblem(check, 'key_limit_reached_today');
    expect(Date.parse(check.body.resets_at) % 86_400_000).toBe(0);
    const user = await ToolUser.overHttp(service.url, { 'x-api-key': key });
    const { text } = await user.call('run_report', { event_id: newEvent(), max_credits: 500 });
    expect(text).toContain('has spent what its owner allows for a day');
    expect(await spentBy(owner)).toBe(spent);
  });
});
