import { describe, expect, test } from '@jest/globals';
import type { ProblemCode } from '../../../contract/problems.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { type Sent, send } from '../../support/service/send.js';
import type { Answer } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });
const caller = await service.newCaller(10_000);
const before = await footprint(service);

const open = 'sample-fed-cut-2031';
const closed = 'sample-bridge-opening-2025';

function ask(path: string, { headers, ...sent }: Sent = {}): Promise<Answer> {
  return send(service.url + path, { ...sent, headers: { 'x-api-key': caller.key, ...headers } });
}

const json = { 'content-type': 'application/json' };
const post = (body: string) => ask('/api/reports', { method: 'POST', headers: json, body });
const wish = (more: object) => JSON.stringify({ event_id: open, ...more });

describe('a purchase with an invalid body is refused by field, and nothing is recorded', () => {
  test.each<[what: string, body: string, fields: string[]]>([
    ['malformed JSON', '{"event_id": ', ['#']],
    ['a form', `event_id=${open}`, ['#']],
    ['NaN', `{"event_id":"${open}","quoted_credits":NaN}`, ['#']],
    ['an empty body', '', ['#/event_id']],
    ['an array', '[]', ['#']],
    ['null', 'null', ['#']],
    ['no event_id', '{}', ['#/event_id']],
    ['an empty event_id', wish({ event_id: '' }), ['#/event_id']],
    ['a number as event_id', wish({ event_id: 5 }), ['#/event_id']],
    ['an object as event_id', wish({ event_id: { $ne: '' } }), ['#/event_id']],
    ['an overlong event_id', wish({ event_id: 'x'.repeat(201) }), ['#/event_id']],
    ['a negative quote', wish({ quoted_credits: -1 }), ['#/quoted_credits']],
    ['a fractional quote', wish({ quoted_credits: 120.5 }), ['#/quoted_credits']],
    ['a quote in a string', wish({ quoted_credits: '120' }), ['#/quoted_credits']],
    ['a huge quote', wish({ quoted_credits: 1e15 }), ['#/quoted_credits']],
    ['an endless quote', `{"event_id":"${open}","quoted_credits":1e400}`, ['#/quoted_credits']],
    ['an unknown lane', wish({ lane: 'gift' }), ['#/lane']],
    ['an unknown field', wish({ credits_spent: 0 }), ['#/credits_spent']],
    ['a field named __proto__', `{"event_id":"${open}","__proto__":{"lane":"byok"}}`, ['#/__proto__']],
    ['a field named constructor', wish({ constructor: {} }), ['#/constructor']],
    ['a field that no pointer holds as it is', wish({ 'a/b~c d': 0 }), ['#/a~1b~0c%20d']],
    ['a field named by half a letter', wish({ '\ud800': 0 }), ['#/%EF%BF%BD']],
    [
      'everything wrong at once',
      JSON.stringify({ event_id: 5, quoted_credits: -1, lane: 'gift', first: 1, second: 2 }),
      ['#/event_id', '#/quoted_credits', '#/lane', '#/first', '#/second'],
    ],
  ])('%s', async (_what, body, fields) => {
    expectInvalid(await post(body), fields);
  });
});

describe('an event that cannot be bought', () => {
  test.each<[what: string, eventId: string, code: ProblemCode]>([
    ['an unknown one', 'no-such-event', 'event_not_found'],
    ['one that is closed', closed, 'event_closed'],
    ['the id of one with a NUL', `${open}\u0000`, 'event_not_found'],
    ['the id of one in other letters', open.toUpperCase(), 'event_not_found'],
    ['the id of one with a space', ` ${open}`, 'event_not_found'],
    ['half a letter', '\ud800', 'event_not_found'],
    ['a path', '../reports/1', 'event_not_found'],
    ['SQL', `'; drop table reports; --`, 'event_not_found'],
    ['as many letters as are allowed', 'x'.repeat(200), 'event_not_found'],
  ])('%s', async (_what, eventId, code) => {
    expectProblem(await post(wish({ event_id: eventId })), code);
  });
});

describe('invalid parameters are refused by name', () => {
  test.each<[path: string, parameters: string[]]>([
    ['/api/events?page=0', ['page']],
    ['/api/events?page=', ['page']],
    ['/api/events?page=99999999999999999999', ['page']],
    ['/api/events?page=1&page=2', ['page']],
    ['/api/events?per_page=ten', ['per_page']],
    ['/api/events?page=x&per_page=y&status=z', ['page', 'per_page', 'status']],
    ['/api/events?status=resolved', ['status']],
    [`/api/events?search=${'x'.repeat(201)}`, ['search']],
    ['/api/reports?page=0&per_page=1000', ['page', 'per_page']],
    ['/api/stats/track-record/reports?after=-1&limit=1.5', ['after', 'limit']],
    ['/api/stats/track-record/chain?after=x&limit=101', ['after', 'limit']],
    ['/api/reports?status=done', ['status']],
    ['/api/credits/ledger?page=0&per_page=x', ['page', 'per_page']],
    [`/api/reports/check/${open}?lane=gift`, ['lane']],
    ['/api/reports/abc', ['id']],
    ['/api/reports/0', ['id']],
    ['/api/reports/1e3', ['id']],
    ['/api/reports/1%00', ['id']],
    ['/api/reports/99999999999999999999', ['id']],
  ])('GET %s', async (path, parameters) => {
    expectInvalid(await ask(path), parameters);
  });
});

describe('unknown paths and resources', () => {
  test.each<[method: string, path: string, code: ProblemCode]>([
    ['GET', '/api/reports/123456789', 'not_found'],
    ['GET', '/api/reports/1/deliberation', 'not_found'],
    ['GET', '/api/reports/check', 'invalid_request'],
    ['GET', '/api/reports/check/no-such-event', 'event_not_found'],
    ['GET', `/api/reports/check/${open}%00`, 'event_not_found'],
    ['GET', '/api/reports/check/%E0%A4%A', 'not_found'],
    ['GET', '/api/events/no-such-event', 'event_not_found'],
    ['GET', '/api/events/%00', 'event_not_found'],
    ['GET', '/api/events/%F0%9F%8E%B2', 'event_not_found'],
    ['GET', '/api/events/..%2Freports', 'event_not_found'],
    ['GET', '/api/events/%E0%A4%A', 'not_found'],
    ['GET', `/api/events/${open}/markets`, 'not_found'],
    ['GET', '/api', 'not_found'],
    ['GET', '/api/nothing', 'not_found'],
    ['GET', '/api/auth/nothing', 'not_found'],
    ['GET', '/api/auth/%E0%A4%A', 'not_found'],
    ['PUT', '/api/reports', 'method_not_allowed'],
    ['DELETE', `/api/events/${open}`, 'method_not_allowed'],
    ['PROPFIND', '/api/reports', 'method_not_allowed'],
    ['POST', '/healthz', 'method_not_allowed'],
    ['DELETE', '/api/events', 'method_not_allowed'],
    ['GET', '/api/auth/sign-out', 'method_not_allowed'],
    ['PUT', '/API/Reports/', 'method_not_allowed'],
  ])('%s %s', async (method, path, code) => {
    expectProblem(await ask(path, { method }), code);
  });

  test('an unsupported method gets the supported ones in Allow', async () => {
    expect((await ask('/api/events', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD');
    expect((await ask('/api/reports', { method: 'PUT' })).headers.get('allow')).toBe('POST, GET, HEAD');
    const options = await ask('/api/keys/x', { method: 'OPTIONS' });
    expect(options).toMatchObject({ status: 204, body: null });
    expect(options.headers.get('allow')).toBe('DELETE');
  });

  test('HEAD of an unknown path has the headers of a problem and no body', async () => {
    const answer = await ask('/api/nothing', { method: 'HEAD' });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toBeNull();
  });

  test('a search accepts special characters', async () => {
    for (const search of ['%00', '%25', '%E0%A4%A', "'--", '%F0%9F%8E%B2', '(', '%5C']) {
      const answer = await ask(`/api/events?search=${search}`);
      expect({ search, status: answer.status }).toEqual({ search, status: 200 });
    }
  });

  test('an invalid Host decides nothing: the body is what is refused', async () => {
    const sent = { method: 'POST', headers: { ...json, host: 'a b%%' }, body: '{}' };
    expectInvalid(await send(`${service.url}/api/auth/sign-in/email`, sent), []);
  });
});

test('after all refused requests nothing was recorded, nothing was charged and no run was started', async () => {
  expect(await footprint(service)).toEqual(before);
  for (const eventId of [open, closed, 'no-such-event'])
    expect(await hasWorkflow(service, caller.accountId, eventId)).toBe(false);
  expect(await caller.balance()).toBe(10_000);
});
