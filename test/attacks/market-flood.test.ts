import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import {
  marketChecksPerMinutePerAccount,
  marketLookupsPerMinutePerAccount,
  marketRequestsReserved,
  polymarketRequests,
} from '../../purchase/limits.js';
import { sendJson, startFakeGamma } from '../markets/polymarket/fake-gamma.js';
import { gammaEvent, gammaEvents, gammaMarket } from '../markets/polymarket/gamma-fixtures.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { send } from '../support/service/send.js';
import { useTwoServices } from '../support/use-service.js';

const minuteMs = 60_000;

let market: 'up' | 'down' = 'up';
let price = 0.41;
const closed = new Set<string>();
let sent = 0;
const errors: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });

const gamma = await startFakeGamma(({ url, raw }, response) => {
  if (market === 'down') {
    response.setHeader('retry-after', '20');
    return sendJson(response, { error: 'sorry' }, 503);
  }
  const id = /^\/events\/(\d+)$/.exec(raw.url ?? '')?.[1];
  if (id === '1600') return response.writeHead(302, { location: '/events/1601' }).end();
  const markets = [gammaMarket({ bestBid: price - 0.01, bestAsk: price + 0.01, lastTradePrice: price })];
  if (id !== undefined) {
    return sendJson(response, gammaEvent({ id, slug: `event-${id}`, closed: closed.has(id), markets }));
  }
  if (url.pathname.startsWith('/events/slug/')) return sendJson(response, { error: 'not found' }, 404);
  const isClosed = url.searchParams.get('closed') === 'true';
  const first = Number(url.searchParams.get('after_cursor') ?? 1);
  const events = gammaEvents(20, first).map(event => ({
    ...event,
    id: isClosed ? `9${String(event['id']).padStart(5, '0')}` : event['id'],
    closed: isClosed,
  }));
  sendJson(response, { events, next_cursor: String(first + 20), pagination: { hasMore: false } });
});
const services = await useTwoServices({ gammaUrl: gamma.baseUrl, log }, { worker: false });
afterAll(() => gamma.close());

/** Each test begins with a full budget and without a fresh answer. Time stands still, or a busy machine would fill it. */
beforeEach(() => {
  market = 'up';
  for (const { clock } of services) clock.stoppedAtMs ??= Date.now();
  later(minuteMs);
  sent = gamma.requests.length;
});

function later(ms: number): void {
  for (const { clock } of services) clock.offsetMs += ms;
}

const requests = () => gamma.requests.length - sent;

/** One request after another to one process and the other, all at once. */
const flood = (count: number, path: (index: number) => string) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => send((services[index % 2] ?? services[0]).url + path(index))),
  );

test('200 equal searches at two API processes make one request to the market in 30 seconds', async () => {
  const search = (index: number) => `/api/events?search=${['rain', 'Rain%20', '%20rAIN'][index % 3]}`;
  const answers = await flood(200, search);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  expect(requests()).toBe(1);
  later(29_000);
  const [kept] = await flood(10, search);
  expect(Number(kept?.headers.get('age'))).toBe(29);
  expect(requests()).toBe(1);
  later(2_000);
  const [read] = await flood(10, search);
  expect(read?.headers.get('age')).toBe('0');
  expect(requests()).toBe(2);
});

test('200 equal readings make one request each, and an unknown event is asked about once a minute', async () => {
  const unknown = () => flood(20, () => '/api/events/no-such-event');
  await flood(200, index => (index % 4 < 2 ? '/api/events/1001' : '/api/events/no-such-event'));
  expect(requests()).toBe(2);
  later(minuteMs - 1_000);
  await unknown();
  expect(requests()).toBe(2);
  later(2_000);
  await unknown();
  expect(requests()).toBe(3);
});

test('the deepest page makes at most 12 requests, and a deeper one none', async () => {
  const { url } = services[0];
  expect((await send(`${url}/api/events?status=all&page=2&per_page=100`)).body.events).toHaveLength(100);
  expect(requests()).toBeLessThanOrEqual(12);
  const before = requests();
  for (const query of ['page=11&per_page=100', 'page=1000&per_page=2', 'page=51']) {
    const refused = await send(`${url}/api/events?search=rain&${query}`);
    expectProblem(refused, 'invalid_request');
    expect(refused.body.errors).toEqual([expect.objectContaining({ parameter: 'page' })]);
  }
  expect(requests()).toBe(before);
});

test('a flood of different searches stays within the budget, and a report is sold at once', async () => {
  const caller = await services[0].newCaller(1_000);
  await send(`${services[0].url}/api/events/1005`);
  later(minuteMs);
  sent = gamma.requests.length;
  const answers = await flood(300, index => `/api/events?search=flood-${index}`);
  expect(requests()).toBe(2 * (polymarketRequests.burst - marketRequestsReserved));
  later(1_000);
  await flood(100, index => `/api/events?search=again-${index}`);
  expect(requests()).toBe(
    2 * (polymarketRequests.burst - marketRequestsReserved + polymarketRequests.perSecond),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(260);
  // Otherwise a flood of searches would fill the log.
  expect(errors).toEqual([]);
  for (const answer of refused.slice(0, 5)) {
    expectProblem(answer, 'unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const [kept] = await flood(2, () => '/api/events/1005');
  expect(kept?.headers.get('age')).toBe('61');
  const [bought] = await Promise.all([
    caller.buy('1002'),
    flood(100, index => `/api/events?search=more-${index}`),
  ]);
  expect(bought.status).toBe(202);
  for (const { clock } of services) clock.stoppedAtMs = undefined;
  expect(await caller.untilEnded(bought.body.report_id)).toMatchObject({ status: 'completed' });
});

test('while the market is unavailable an earlier answer stands in for readers, with its age, and nothing is sold', async () => {
  const caller = await services[0].newCaller(1_000);
  await flood(2, () => '/api/events/1003');
  later(minuteMs);
  market = 'down';
  const [kept] = await flood(2, () => '/api/events/1003');
  expect(kept).toMatchObject({ status: 200, body: { event_id: '1003' } });
  expect(Number(kept?.headers.get('age'))).toBe(60);
  expectProblem(await caller.get('/api/reports/check/1003'), 'unavailable');
  expectProblem(await caller.buy('1003'), 'unavailable');
  later(5 * minuteMs);
  for (const answer of await flood(2, () => '/api/events/1003')) expectProblem(answer, 'unavailable');
});

test('a market that fails is asked once by 100 callers, and again only after its pause', async () => {
  market = 'down';
  const answers = await flood(100, () => '/api/events?search=failing');
  expect(requests()).toBe(1);
  for (const answer of answers) expect(Number(answer.headers.get('retry-after'))).toBe(20);
  market = 'up';
  later(19_000);
  await flood(10, () => '/api/events?search=failing');
  expect(requests()).toBe(1);
  later(2_000);
  for (const answer of await flood(10, () => '/api/events?search=failing')) expect(answer.status).toBe(200);
  expect(requests()).toBe(2);
});

test('a report is made with the prices of now, whatever readers saw some seconds ago', async () => {
  const caller = await services[0].newCaller(1_000);
  price = 0.2;
  expect((await send(`${services[0].url}/api/events/1004`)).body.markets[0].yes_price).toBe(0.2);
  price = 0.6;
  expect((await send(`${services[1].url}/api/events/1004`)).body.markets[0].yes_price).toBe(0.2);
  const bought = await caller.buy('1004');
  const report = await caller.untilEnded(bought.body.report_id);
  expect(report).toMatchObject({
    status: 'completed',
    council_config: { runtime: { market_implied_probabilities: { Yes: 60 } } },
  });
});

test('an event that closed some seconds ago is not sold, whatever readers still see', async () => {
  const caller = await services[0].newCaller(1_000);
  expect((await send(`${services[0].url}/api/events/1006`)).body.status).toBe('open');
  closed.add('1006');
  expectProblem(await caller.buy('1006'), 'event_closed');
  expect((await caller.ledger()).filter(({ kind }) => kind === 'charge')).toEqual([]);
});

test('a redirect of the market, which could lead into the private network, is not followed', async () => {
  expectProblem(await send(`${services[0].url}/api/events/1600`), 'unavailable');
  expect(new Set(gamma.requests.slice(sent))).toEqual(new Set(['/events/1600']));
});

test('price checks of made-up events by free accounts leave every purchase to be served', async () => {
  const buyer = await services[0].newCaller(1_000);
  const strangers = await Promise.all([1, 2, 3].map(() => services[0].newCaller()));
  const checks = await Promise.all(
    strangers.flatMap((stranger, who) =>
      Array.from({ length: 50 }, (_, index) => stranger.get(`/api/reports/check/made-up-${who}-${index}`)),
    ),
  );
  const statuses = checks.map(({ status }) => status);
  const bought = await Promise.all(['1010', '1011', '1012'].map(event => buyer.buy(event)));
  expect(bought.map(({ status }) => status)).toEqual([202, 202, 202]);
  // Some within an account's own budget find that of the process used up.
  expect(statuses.filter(status => status !== 429)).toHaveLength(3 * marketChecksPerMinutePerAccount);
  const limited = checks.filter(({ status }) => status === 429);
  for (const check of limited.slice(0, 3)) {
    expectProblem(check, 'rate_limited');
    expect(Number(check.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

test('purchases of made-up events are limited for each account, and charge nothing', async () => {
  const caller = await services[0].newCaller(1_000);
  const other = await services[0].newCaller(1_000);
  const refused = await Promise.all(
    Array.from({ length: marketLookupsPerMinutePerAccount + 10 }, (_, index) =>
      caller.buy(`never-was-${index}`),
    ),
  );
  const statuses = refused.map(({ status }) => status);
  expect(statuses.filter(status => status === 404)).toHaveLength(marketLookupsPerMinutePerAccount);
  expect(statuses.filter(status => status === 429)).toHaveLength(10);
  const asked = gamma.requests.slice(sent).filter(path => path.includes('never-was'));
  expect(asked).toHaveLength(marketLookupsPerMinutePerAccount);
  expect((await caller.ledger()).filter(({ kind }) => kind === 'charge')).toEqual([]);
  expect((await other.buy('1013')).status).toBe(202);
});
