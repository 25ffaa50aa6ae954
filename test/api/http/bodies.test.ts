import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createHttpServer } from '../../../api/server/http-server.js';
import type { ProblemCode } from '../../../contract/problems.js';
import { createLogger } from '../../../platform/settings/logger.js';
import { bodyMaxBytes } from '../../../purchase/limits.js';
import { expectConforming } from '../../support/expect/expect-conforming.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { type Sent, send } from '../../support/service/send.js';
import { connectRaw, sendRaw } from '../../support/service/send-raw.js';
import type { Answer } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { gate, until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

let lines: string[] = [];
const log = createLogger('api', { level: 'trace', to: { write: line => void lines.push(line) } });

const service = await useTestService({ worker: false, log });
const caller = await service.newCaller(10_000);
const before = await footprint(service);

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
    const answer = await post('/api/reports', headers, body);
    expectProblem(answer, code);
    if (code === 'invalid_request') expectInvalid(answer, ['#']);
  });

  test('when signing in: too large, badly compressed, wrong type', async () => {
    const path = '/api/auth/sign-in/email';
    expectProblem(await post(path, typed('application/json'), big), 'payload_too_large');
    expectProblem(await post(path, json('gzip'), bomb), 'payload_too_large');
    expectProblem(await post(path, json('gzip'), good), 'invalid_request');
    expectProblem(await post(path, json('rot13'), good), 'unsupported_media_type');
    expectProblem(await post(path, typed('text/plain'), good), 'unsupported_media_type');
  });

  const unknown = JSON.stringify({ event_id: 'no-such-event' });

  test.each<[what: string, headers: Record<string, string>, body: Sent['body']]>([
    ['exactly 64 KiB', typed('application/json'), unknown.padEnd(bodyMaxBytes)],
    ['JSON with a charset', typed('application/json; charset=UTF-8'), unknown],
    ['compressed JSON', json('gzip'), gzipSync(unknown)],
  ])('but not %s', async (_what, headers, body) => {
    expectProblem(await post('/api/reports', headers, body), 'event_not_found');
  });

  test('nothing was recorded, no key was created and no run was started', async () => {
    expect(await footprint(service)).toEqual(before);
    expect(await hasWorkflow(service, caller.accountId, open)).toBe(false);
    expect((await caller.get('/api/keys', { as: 'session' })).body.keys).toHaveLength(1);
  });
});

/** The head of a request whose body has 100 bytes. */
const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
const withBody = ['/api/reports', '/api/auth/sign-in/email', '/api/billing/webhook', '/mcp'];

/** The lines of the log, of all requests or of one. */
const logged = (requestId?: string | null): any[] =>
  lines
    .map(line => JSON.parse(line))
    .filter(({ request_id }) => requestId === undefined || request_id === requestId);

describe('a caller who leaves in the middle of a body', () => {
  test.each(withBody)('of %s is no failure of this service: one line that it left, no error', async path => {
    lines = [];
    const connection = connectRaw(service.url);
    connection.write(`${head(path)}{"event_id"`);
    // A second request on another connection: by its answer, the first one has arrived.
    await send(`${service.url}/healthz`);
    connection.reset();
    const line = () => logged().find(({ gone }) => gone === true);
    await until('it is noted that the caller is gone', () => line() !== undefined);
    await send(`${service.url}/healthz`);
    expect(line()).toMatchObject({ method: 'POST', status: null });
    expect(logged().filter(({ level }) => level >= 40)).toEqual([]);
  });
});

describe('a request that is not HTTP', () => {
  const long = 'x'.repeat(20_000);
  const chunked =
    head('/api/reports').replace('Content-Length: 100', 'Transfer-Encoding: chunked') + 'xyz\r\n';

  test.each([
    ['a request line without a version', 'HELLO\r\n\r\n', 400],
    ['a method that does not exist', 'HELLO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two lengths', `${head('/api/reports').trim()}\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a chunk without a length', chunked, 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${long}\r\n\r\n`, 431],
    ['a path that is too long', `GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])('%s: a whole problem document, and a line in the log', async (_what, bytes, status) => {
    const answer = await sendRaw(service.url, bytes);
    expectProblem(answer, 'invalid_request', status);
    expectConforming({ method: 'GET', path: '/no-operation' }, answer);
    expect(answer.headers.get('connection')).toBe('close');
    const own = () => logged(answer.body.request_id);
    await until('it is logged', () => own().length > 0);
    expect(own()).toMatchObject([{ msg: 'request', status }]);
  });

  test('after a complete request does not cost that request its answer', async () => {
    const connection = connectRaw(service.url);
    connection.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\nmore than it said');
    const answers = await connection.answers();
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  test('an unknown expectation is ignored', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: roses\r\nConnection: close\r\n\r\n';
    expect((await sendRaw(service.url, request)).status).toBe(200);
  });
});

describe('a request that does not arrive in time', () => {
  const times = { headersMs: 300, requestMs: 600, answerMs: 60_000, checkEveryMs: 50 };
  let impatient: TestService;
  beforeAll(async () => {
    const { database } = service;
    impatient = await startTestService({ worker: false, database, log, requestTimes: times });
  });
  afterAll(() => impatient.stop());

  test.each(withBody)('a body of %s, a byte at a time, is refused with 408 and logged so', async path => {
    lines = [];
    const connection = connectRaw(impatient.url);
    connection.write(head(path));
    const dripping = setInterval(() => connection.write(' '), 20);
    const [answer, ...more] = await connection.answers();
    clearInterval(dripping);
    expect(more).toEqual([]);
    if (answer === undefined) throw new Error('no answer');
    expectProblem(answer, 'invalid_request', 408);
    expect(answer.headers.get('connection')).toBe('close');
    const own = () => logged(answer.headers.get('x-request-id'));
    await until('it is logged', () => own().length > 0);
    expect(own()).toMatchObject([{ msg: 'request', method: 'POST', status: 408 }]);
    expect(logged().filter(({ level }) => level >= 40)).toEqual([]);
  });

  test('headers that do not end are refused with 408', async () => {
    const answer = await sendRaw(impatient.url, 'GET /healthz HTTP/1.1\r\nHost: a\r\n');
    expectProblem(answer, 'invalid_request', 408);
  });

  test('but a response may take longer, at once or in parts', async () => {
    const { opened: released, open: release } = gate();
    let held = 0;
    const hold = async (request: IncomingMessage, response: ServerResponse) => {
      // The slow request below never ends.
      await request.toArray().catch(() => undefined);
      if (request.url === '/parts') response.write('1');
      held += 1;
      await released;
      response.end('2');
    };
    const server = createHttpServer(
      (request, response) => void hold(request, response),
      { log: pino({ level: 'silent' }), newId: randomUUID },
      times,
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const read = async (path: string) => (await fetch(url + path, { method: 'POST', body: 'x' })).text();
    const answers = Promise.all([read('/whole'), read('/parts')]);
    await until('both are held', () => held === 2);
    // Begun later and refused: the held ones have passed the time of a request.
    expect((await sendRaw(url, head('/slow'))).status).toBe(408);
    release();
    expect(await answers).toEqual(['2', '12']);
    server.closeAllConnections();
    server.close();
  });
});
