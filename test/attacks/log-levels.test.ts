import { readdir } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { accountsLog } from '../../api/auth/accounts.js';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { createLogger } from '../../platform/settings/logger.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { send } from '../support/service/send.js';
import { connectRaw } from '../support/service/send-raw.js';
import { until } from '../support/until.js';
import { useTestBilling } from '../support/use-service.js';
import {
  accounts,
  bodies,
  cookies,
  credentials,
  json,
  long,
  mcp,
  nul,
  ofFiles,
  paths,
  type Request,
  signatures,
} from './strange-requests.js';

/**
 * Whatever a stranger sends, no line above the level of information is logged, none has a stack trace, and none is
 * long: who can raise the level of a log can hide in it, fill it or wake an operator.
 */

let lines: string[] = [];
const log = createLogger('api', { level: 'trace', to: { write: line => void lines.push(line) } });
const pages = await loadPageRenderer();
const assets = (await readdir(pages.assets)).map(name => `/assets/${name}`);
const billing = await useTestBilling({ log, pages });
const caller = await billing.service.newCaller(1_000);
lines = [];

const warnLevel = 40;
const lineCharsMax = 1_000;

/** With an account, which every stranger can open. */
const asCustomer = (): Request[] => {
  const key = { 'x-api-key': caller.key };
  const session = { authorization: `Bearer ${caller.session}` };
  return [
    ...bodies.map(request => ({ ...request, headers: { ...request.headers, ...key } })),
    ...['%00', '%', '1e3', '-1', '99999999999999999999'].map(id => ({
      path: `/api/reports/${id}`,
      headers: key,
    })),
    { path: '/api/reports/check/%00', headers: key },
    { path: '/api/reports/check/%ED%A0%80', headers: key },
    { path: '/api/reports/check/x?lane=%00', headers: key },
    { path: '/api/reports?page=9999999999999999&status=%00', headers: key },
    { path: '/api/reports/1', headers: { ...key, prefer: 'wait=1e99', 'if-none-match': long } },
    ...['x', '%00', '%'].map(id => ({ method: 'DELETE', path: `/api/keys/${id}`, headers: session })),
    post('/api/keys', session, `{"name":"${nul}"}`),
    post('/api/keys', session, '{"name":"\\ud800"}'),
    { ...post('/api/provider-keys/openai', session, `{"key":"sk-${nul}12345678"}`), method: 'PUT' },
    post('/api/billing/checkout', session, '{"pack_id":"starter","success_url":"https://\\ud800.example/"}'),
    post('/api/reports', { ...key, 'idempotency-key': '\u0080\u00ff' }, '{"event_id":"nothing"}'),
  ];
};

const post = (path: string, headers: Record<string, string>, body: string): Request => ({
  method: 'POST',
  path,
  headers: { ...json, ...headers },
  body,
});

const html = { accept: 'text/html' };

function everything(): Request[] {
  return [
    ...paths.flatMap(path => [{ path }, { path, headers: html }, { path, method: 'POST' }]),
    ...['/api/reports', '/api/auth/list-sessions', '/mcp'].flatMap(path =>
      ['TRACE', 'PATCH', 'PROPFIND', 'OPTIONS', 'HEAD'].map(method => ({ ...post(path, {}, '{}'), method })),
    ),
    ...accounts,
    ...accounts.map(request => ({ ...request, headers: { ...request.headers, cookie: caller.cookie } })),
    ...cookies.flatMap(cookie => [
      { path: '/api/auth/get-session', headers: { cookie } },
      { path: '/api/auth/token', headers: { cookie } },
      { path: '/', headers: { ...html, cookie } },
      post('/api/auth/sign-out', { cookie, origin: 'null' }, '{}'),
    ]),
    ...['null', '::::', 'http://evil.example', long].map(origin =>
      post(
        '/api/auth/sign-in/email',
        { origin, cookie: caller.cookie },
        '{"email":"a@b.example","password":"wrong-password"}',
      ),
    ),
    ...credentials.flatMap(headers => [
      { path: '/api/reports', headers },
      { path: '/api/keys', headers },
      { ...mcp[0], path: '/mcp', headers: { ...mcp[0]?.headers, ...headers } },
    ]),
    ...bodies,
    ...['/docs', assets[0] ?? '', '/openapi.json', '/'].flatMap(path =>
      ofFiles.map(headers => ({ path, headers })),
    ),
    ...mcp,
    ...signatures.map(signature =>
      post('/api/billing/webhook', { 'stripe-signature': signature }, '{"id":"evt_1"}'),
    ),
    ...asCustomer(),
  ];
}

/** As bytes, because `fetch` would not send most of it. */
function bytesOf({ method = 'GET', path, headers = {}, body = '' }: Request, host: string): Buffer {
  const sent = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

const rawBytes = [
  '\x16\x03\x01\x02\x00\x01\x00',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: [::1\r\naccept: text/html\r\nconnection: close\r\n\r\n',
  'GET /api/auth/get-session HTTP/1.1\r\nHost: a b%%\r\nconnection: close\r\n\r\n',
  'POST /api/reports HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  'POST /api/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`,
  'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\naccept: text/html\r\nconnection: close\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'GET /mcp HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
];

/** Sent in part, and then the caller vanishes. */
const abandoned = [
  'POST /api/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"eve',
  'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"e',
  'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"e',
  'POST /api/billing/webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"e',
  'GET /api/stats/track-record/reports HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\naccept: text/html\r\n\r\n',
  'GET / HT',
];

/** One connection for each request: everything is sent, and the server closes it. */
async function sendAll(all: readonly Buffer[]): Promise<string[]> {
  const answers: string[] = [];
  const queue = all.map((bytes, index) => ({ bytes, index }));
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      answers[next.index] = await connectRaw(billing.service.url).exchange(next.bytes);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return answers;
}

test('no request of a stranger is logged above the level of information', async () => {
  const { host } = new URL(billing.service.url);
  const requests = everything();
  const sent = [
    ...requests.map(request => bytesOf(request, host)),
    ...rawBytes.map(each => Buffer.from(each, 'latin1')),
  ];
  const answers = await sendAll(sent);
  for (const bytes of abandoned) {
    const connection = connectRaw(billing.service.url);
    await connection.exchange(Buffer.from(bytes), 'leave');
  }
  await until(
    'the last is logged',
    () => lines.filter(line => line.includes('"msg":"request"')).length >= sent.length,
  );
  const read = lines.map(line => JSON.parse(line));
  const failed = sent
    .map((bytes, index) => ({
      sent: bytes.toString('latin1', 0, 300),
      answer: (answers[index] ?? '').slice(0, 12),
    }))
    .filter(({ answer }) => !/^HTTP\/1.1 [1-4]\d\d|^$/.test(answer));
  expect(failed).toEqual([]);
  expect(read.filter(({ level }) => level >= warnLevel)).toEqual([]);
  expect(lines.filter(line => line.length > lineCharsMax || /"stack"|\\n +at /.test(line))).toEqual([]);
});

test('a failure of our own under the accounts stays an error, and a mistake of a caller does not', () => {
  const written: string[] = [];
  const to = { write: (line: string) => void written.push(line) };
  const log = accountsLog(createLogger('api', { level: 'trace', to }));
  const failure = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of ['ECONNREFUSED', '42501', '57P01']) log('error', 'Failed to create user', failure(code));
  for (const detail of [failure('22021'), failure('23505'), new Error('x'), undefined])
    log('error', long, detail);
  expect(written.map(line => JSON.parse(line).level)).toEqual([50, 50, 50, 30, 30, 30, 30]);
  expect(written.filter(line => line.length > lineCharsMax && !line.includes('"err"'))).toEqual([]);
});

test('the source of the page is in no file that it serves', async () => {
  const maps = assets.filter(path => path.endsWith('.map'));
  expect(maps.length).toBeGreaterThan(10);
  for (const path of maps) expectProblem(await send(billing.service.url + path), 'not_found');
});
