import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyMaxBytes } from '../../../council/limits.js';
import type { ProblemCode } from '../../../council/problems.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { type Sent, send } from '../../support/service/send.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

let service: TestService;
let caller: TestCaller;
let before: Record<string, number>;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  caller = await service.newCaller(10_000);
  before = await footprint(service);
});

afterAll(() => service.stop());

const open = 'sample-fed-cut-2031';
const good = JSON.stringify({ event_id: open });
const bomb = gzipSync(JSON.stringify({ event_id: 'x'.repeat(20_000_000) }));

function post(path: string, headers: Record<string, string>, body?: Sent['body']): Promise<Answer> {
  return send(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.session}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const json = (encoding: string) => ({ 'content-type': 'application/json', 'content-encoding': encoding });
const typed = (contentType: string) => ({ 'content-type': contentType });
const big = 'x'.repeat(bodyMaxBytes + 1);

type Row = [what: string, headers: Record<string, string>, body: Sent['body'], code: ProblemCode];

const rows: Row[] = [
  ['one byte too many', typed('application/json'), big, 'payload_too_large'],
  ['too much of it, in chunks', typed('application/json'), [big, big], 'payload_too_large'],
  ['little that unpacks to too much', json('gzip'), bomb, 'payload_too_large'],
  ['text', typed('text/plain'), good, 'unsupported_media_type'],
  ['a form', typed('application/x-www-form-urlencoded'), 'event_id=x', 'unsupported_media_type'],
  ['several parts', typed('multipart/form-data; boundary=x'), '--x--', 'unsupported_media_type'],
  ['a type that only looks like JSON', typed('application/jsonp'), good, 'unsupported_media_type'],
  ['an empty type', typed(''), good, 'unsupported_media_type'],
  ['a type that is none', typed('json'), good, 'unsupported_media_type'],
  ['no type', {}, good, 'unsupported_media_type'],
  ['no type, in chunks', {}, [good], 'unsupported_media_type'],
  ['another alphabet', typed('application/json; charset=latin1'), good, 'unsupported_media_type'],
  ['an unknown alphabet', typed('application/json; charset=klingon'), good, 'unsupported_media_type'],
  ['an unknown packing', json('rot13'), good, 'unsupported_media_type'],
  ['what says it is packed and is not', json('gzip'), good, 'invalid_request'],
  ['what was cut off after packing', json('gzip'), gzipSync(good).subarray(0, 20), 'invalid_request'],
  ['what says it is packed by brotli and is not', json('br'), good, 'invalid_request'],
  ['another packing than it says', json('deflate'), gzipSync(good), 'invalid_request'],
  ['bytes that are no text', typed('application/json'), Buffer.from([0xff, 0xfe, 0x00]), 'invalid_request'],
];

describe('an unreadable body is refused before anything else happens', () => {
  test.each(rows)('when buying a report: %s', async (_what, headers, body, code) => {
    expectProblem(await post('/api/reports', headers, body), code);
  });

  test.each(rows)('when creating a key: %s', async (_what, headers, body, code) => {
    expectProblem(await post('/api/keys', headers, body), code);
  });

  test('every invalid request names its errors', async () => {
    for (const [, headers, body, code] of rows) {
      if (code === 'invalid_request') expectInvalid(await post('/api/reports', headers, body), ['#']);
    }
  });

  test('when signing in: too large, badly compressed, wrong type', async () => {
    const path = '/api/auth/sign-in/email';
    expectProblem(await post(path, typed('application/json'), big), 'payload_too_large');
    expectProblem(await post(path, json('gzip'), bomb), 'payload_too_large');
    expectProblem(await post(path, json('gzip'), good), 'invalid_request');
    expectProblem(await post(path, json('rot13'), good), 'unsupported_media_type');
    expectProblem(await post(path, typed('text/plain'), good), 'unsupported_media_type');
  });

  test('a body of exactly 64 KiB is read', async () => {
    const body = good.padEnd(bodyMaxBytes);
    expect(body).toHaveLength(bodyMaxBytes);
    const unknown = body.replace(open, 'no-such-event-here1');
    expectProblem(await post('/api/reports', typed('application/json'), unknown), 'event_not_found');
  });

  test('JSON with a charset and compressed JSON are read', async () => {
    const unknown = JSON.stringify({ event_id: 'no-such-event' });
    const utf8 = typed('application/json; charset=UTF-8');
    expectProblem(await post('/api/reports', utf8, unknown), 'event_not_found');
    expectProblem(await post('/api/reports', json('gzip'), gzipSync(unknown)), 'event_not_found');
  });

  test('nothing was recorded, no key was created and no run was started', async () => {
    expect(await footprint(service)).toEqual(before);
    expect(await hasWorkflow(service, caller.accountId, open)).toBe(false);
    expect((await caller.get('/api/keys', { as: 'session' })).body.keys).toHaveLength(1);
  });
});
