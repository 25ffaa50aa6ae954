import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { problemExamples } from '../../../api/openapi/problems.js';
import { eventExample, receiptExample } from '../../support/expect/examples.js';
import { expectConforming, type SentRequest } from '../../support/expect/expect-conforming.js';
import { send } from '../../support/service/send.js';
import type { Answer } from '../../support/service/test-caller.js';

/**
 * Every answer that the tests of this service get goes through this check. Here it is shown that it finds what is
 * wrong.
 */

const general = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a-request',
  'cache-control': 'private, no-store',
  ratelimit: '"address"; r=59; t=60',
  'ratelimit-policy': '"address"; q=60; w=60',
};
const listing = {
  events: [eventExample],
  page: 1,
  per_page: 20,
  total: 1,
  venues: ['sample'],
  unavailable: [],
};
const listed = { ...general, etag: 'W/"a-tag"', 'cache-control': 'public, no-cache', age: '0' };
const search: SentRequest = { method: 'GET', path: '/api/events?search=fed' };
const buy: SentRequest = { method: 'POST', path: '/api/reports' };
const bought = { ...general, location: '/api/reports/2', 'retry-after': '2' };
const asProblem = { ...general, 'content-type': 'application/problem+json; charset=utf-8' };

function answer(status: number, body: unknown, headers: Record<string, string> = general): Answer {
  return { status, headers: new Headers(headers), body };
}

const list = (more: object) => answer(200, { ...listing, ...more }, listed);
const away = answer(503, problem('unavailable'), { ...asProblem, 'retry-after': '5' });
const nowhere: SentRequest = { method: 'GET', path: '/api/x' };

test.each<[what: string, asked: SentRequest, answer: Answer]>([
  ['a listing', search, list({})],
  ['a purchase', buy, answer(202, receiptExample, bought)],
  ['a problem', search, away],
  ['no body', { method: 'HEAD', path: '/api/events' }, answer(200, null, listed)],
  ['a path that is not there', nowhere, answer(404, problem('not_found'), asProblem)],
  ['a route of a library', { method: 'GET', path: '/api/auth/ok' }, answer(200, { whatever: 1 })],
])('a response that matches the document passes: %s', (_what, asked, given) => {
  expect(() => expectConforming(asked, given)).not.toThrow();
});

const { title: _title, ...untitled } = eventExample;
const [market] = eventExample.markets;
const marked = { ...eventExample, markets: [{ ...market, x: 1 }] };
const untimely = { ...eventExample, closes_at: '2031-03-19 18:00' };
const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
const deletion: SentRequest = { method: 'DELETE', path: '/api/keys/1' };
const wrongCode = answer(409, problem('key_limit_reached'), asProblem);
const uncached = { ...without(asProblem, 'cache-control'), 'retry-after': '5' };

test.each<[what: string, asked: SentRequest, answer: Answer, complaint: RegExp]>([
  ['an unknown field', search, list({ cost_usd: 1 }), /body \/ must NOT have .*cost_usd/],
  ['one far within', search, list({ events: [marked] }), /\/events\/0\/markets\/0 must NOT have .*"x"/],
  ['a missing field', search, list({ events: [untitled] }), /\/events\/0 must have .*title/],
  ['a field of another type', search, list({ page: '1' }), /\/page must be integer/],
  ['a value out of its bounds', search, list({ page: 0 }), /\/page must be >= 1/],
  ['a time in another form', search, list({ events: [untimely] }), /closes_at must match/],
  ['a status that is not described', search, answer(201, listing), /status 201 is not among 200, /],
  ['a problem that is not its own', search, answer(409, problem('event_closed'), asProblem), /status 409/],
  ['another problem of its status', buy, wrongCode, /key_limit_reached is not among quote_expired, /],
  ['another type', search, answer(200, listing, { ...general, 'content-type': 'text/html' }), /text\/html/],
  ['a problem as plain JSON', search, answer(503, problem('unavailable')), /type application\/json/],
  ['no ETag', search, answer(200, listing, without(listed, 'etag')), /ETag is missing/],
  ['no Location', buy, answer(202, receiptExample, without(bought, 'location')), /Location is missing/],
  [
    'no request id',
    search,
    answer(200, listing, without(general, 'x-request-id')),
    /X-Request-Id is missing/,
  ],
  ['nothing about caches', search, answer(503, problem('unavailable'), uncached), /Cache-Control is missing/],
  [
    'a wait that is no number',
    buy,
    answer(202, {}, { ...bought, 'retry-after': 'soon' }),
    /Retry-After: soon/,
  ],
  ['a body where there is none', deletion, answer(204, {}), /there is a body/],
  ['an answer where nothing is', nowhere, answer(200, {}), /no such operation/],
  ['a refusal in another form', nowhere, answer(404, {}), /type is application\/json/],
])('a response that violates the document fails its test: %s', (_, asked, given, complaint) => {
  expect(() => expectConforming(asked, given)).toThrow(complaint);
});

test('the helper that sends requests rejects a response that violates the document', async () => {
  let body: object = listing;
  const server = createServer((_request, response) => {
    response.writeHead(200, listed).end(JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/events`;
    expect((await send(url)).body).toEqual(listing);
    body = { ...listing, provider_cost: 0 };
    await expect(send(url)).rejects.toThrow(/GET \/api\/events was answered 200, not as .*\n.*provider_cost/);
  } finally {
    await new Promise(resolve => server.close(resolve));
  }
});

function problem(code: keyof typeof problemExamples): object {
  return problemExamples[code].toDocument('a-request');
}
