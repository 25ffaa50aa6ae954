import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountsLog } from '../../api/auth/accounts-log.js';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { createLogger } from '../../config/logger.js';
import { connectRaw } from '../support/service/send-raw.js';
import { startTestBilling, type TestBilling } from '../support/service/test-billing.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { until } from '../support/until.js';

/**
 * Whatever a stranger sends, no line above the level of information is logged, none has a stack trace, and none is
 * long: who can raise the level of a log can hide in it, fill it or wake an operator.
 */

let billing: TestBilling;
let caller: TestCaller;
let asset: string;
let lines: string[] = [];

beforeAll(async () => {
  const log = createLogger('api', { level: 'trace', to: { write: line => void lines.push(line) } });
  const pages = await loadPageRenderer();
  asset = `/assets/${(await readdir(pages.assets))[0]}`;
  billing = await startTestBilling({ log, pages });
  caller = await billing.service.newCaller(1_000);
  lines = [];
});

afterAll(() => billing.stop());

const warnLevel = 40;
const lineCharsMax = 1_000;

interface Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const json = { 'content-type': 'application/json' };
const long = 'x'.repeat(8_000);
const nul = '\\u0000';
const deep = '['.repeat(30_000) + ']'.repeat(30_000);
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const token = (header: object, payload: object = { sub: 'x', exp: 9_999_999_999 }) =>
  `${encoded(header)}.${encoded(payload)}.c2lnbmF0dXJl`;

/** Paths that a browser would never write. */
const paths = [
  '/%',
  '/%00',
  '/%E0%A4%A',
  '//',
  '///',
  '//[',
  '/\\',
  '/?%',
  '/?search=%',
  '/?search=%00',
  '/?search=%ED%A0%80',
  `/?search=${long}`,
  '/?search=the%20data%20of%20the%20page',
  '/?page=NaN&status=x',
  '/events/%',
  '/events/%00',
  '/events/..%2f..',
  '/reports/%',
  '/reports/-1',
  '/docs/%',
  '/docs/%00',
  '/docs/..%2f..%2fpackage.json',
  '/assets/%',
  '/assets/%00',
  '/assets/..%2f..%2fserver.js',
  '/api/events/%',
  '/api/events/%00',
  `/api/events/${long}`,
  '/api/events?page=9999999999999999999&per_page=-1',
  '/api/events?search=%00',
  '/api/events?search[]=1',
  '/api/reports/check/%00',
  '/api/reports/1e3',
  '/api/stats/track-record/reports?after=1e400',
  '/api/stats/track-record/chain?after=%00',
  '/api/auth/%',
  '/api/auth/error?error=%00',
  '/api/auth/verify-email?token=x',
  '/api/auth/reset-password/x?callbackURL=//evil.example',
  '/api/auth/callback/google?code=x&state=y',
  '/api/auth/list-sessions',
  '/metrics',
  '/.env',
  '/.well-known/nothing',
];

const accounts: readonly Request[] = [
  ['sign-in/email', { email: 'a@b.example', password: 'wrong-password' }],
  ['sign-in/email', { email: ['a'], password: {} }],
  ['sign-in/email', { email: 'a@b.example', password: long }],
  [
    'sign-in/email',
    { email: `a${String.fromCharCode(0)}@b.example`, password: `x${String.fromCharCode(0)}xxxxxxx` },
  ],
  ['sign-in/email', { email: 'a@b.example', password: 'wrong-password', callbackURL: '//evil.example' }],
  ['sign-in/social', { provider: 'google' }],
  ['sign-in/social', { provider: '__proto__' }],
  ['sign-up/email', { email: 'nul@b.example', password: 'long-enough', name: String.fromCharCode(0) }],
  ['sign-up/email', { email: 'sur@b.example', password: 'long-enough', name: '\ud800' }],
  [
    'sign-up/email',
    { email: 'im@b.example', password: 'long-enough', name: 'x', image: 7, emailVerified: true },
  ],
  ['sign-up/email', null],
  ['sign-up/email', []],
  ['reset-password', { newPassword: 'x', token: 'y' }],
  ['request-password-reset', { email: 'a@b.example', redirectTo: '//evil.example' }],
  ['send-verification-email', { email: 'a@b.example' }],
  ['change-email', { newEmail: 'x' }],
  ['update-user', { name: String.fromCharCode(0) }],
  ['delete-user', {}],
  ['revoke-session', { token: String.fromCharCode(0) }],
  ['nothing/here', {}],
].map(([path, body]) => ({
  method: 'POST',
  path: `/api/auth/${path as string}`,
  headers: json,
  body: JSON.stringify(body),
}));

const cookies = [
  '%',
  'better-auth.session_token=%',
  'better-auth.session_token=%E0%A4',
  'better-auth.session_token=a.b',
  `better-auth.session_token=${encodeURIComponent(`token.${'A'.repeat(43)}=`)}`,
  'better-auth.session_data=!!!',
  `better-auth.session_data=${encoded({ session: 1 })}`,
  'better-auth.session_token=%00.%00',
  ';;;=;=',
  long,
];

const credentials: readonly Record<string, string>[] = [
  { authorization: `Bearer ${token({ alg: 'none' })}` },
  { authorization: `Bearer ${token({ alg: 'HS256' })}` },
  { authorization: `Bearer ${token({ alg: 'EdDSA', kid: 'unknown' })}` },
  { authorization: `Bearer ${token({ alg: 'EdDSA', crit: ['x'], x: 1 })}` },
  { authorization: `Bearer ${token({ alg: 'RS256', kid: '__proto__', jwk: {} })}` },
  { authorization: `Bearer ${token({ alg: 'ES256', b64: false, crit: ['b64'] })}` },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Bearer ...' },
  { authorization: `Bearer ${long}` },
  { authorization: 'Basic %%%' },
  { 'x-api-key': '' },
  { 'x-api-key': 'pc_live_' },
  { 'x-api-key': `pc_live_${long}` },
];

const bodies: readonly Request[] = [
  { headers: json, body: '{' },
  { headers: json, body: deep },
  { headers: json, body: 'null' },
  { headers: json, body: `{"event_id":"${nul}"}` },
  { headers: json, body: '{"event_id":"\\ud800"}' },
  { headers: json, body: '{"__proto__":{"x":1},"event_id":"x"}' },
  { headers: { ...json, 'content-encoding': 'gzip' }, body: 'not gzip' },
  { headers: { ...json, 'content-encoding': 'zstd' }, body: '{}' },
  { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync('x'.repeat(5_000_000)) },
  { headers: { 'content-type': 'application/json; charset=utf-7' }, body: '{}' },
  { headers: { 'content-type': 'text/plain' }, body: long },
  { headers: json, body: 'x'.repeat(70_000) },
].map(request => ({ method: 'POST', path: '/api/reports', ...request }));

const ofFiles: readonly Record<string, string>[] = [
  { range: 'bytes=99999999-' },
  { range: 'bytes=0-0,2-2,4-4' },
  { 'if-match': '"nothing"' },
  { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
];

const mcp: readonly Request[] = [
  '{',
  '[]',
  '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]',
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_event","arguments":{"event_id":"\\u0000"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_event","arguments":{"event_id":"\\ud800"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_events","arguments":{"search":"\\u0000"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_report","arguments":{"report_id":1e99}}}',
  `{"jsonrpc":"2.0","id":1,"method":"${long}"}`,
].map(body => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...json, accept: 'application/json, text/event-stream' },
  body,
}));

const signatures = [
  '',
  't=1,v1=x',
  't=,v1=',
  long,
  `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
];

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
    { method: 'POST', path: '/api/keys', headers: { ...json, ...session }, body: `{"name":"${nul}"}` },
    { method: 'POST', path: '/api/keys', headers: { ...json, ...session }, body: '{"name":"\\ud800"}' },
    {
      method: 'PUT',
      path: '/api/provider-keys/openai',
      headers: { ...json, ...session },
      body: `{"key":"sk-${nul}12345678"}`,
    },
    {
      method: 'POST',
      path: '/api/billing/checkout',
      headers: { ...json, ...session },
      body: '{"pack_id":"starter","success_url":"https://\\ud800.example/"}',
    },
    {
      method: 'POST',
      path: '/api/reports',
      headers: { ...json, ...key, 'idempotency-key': '\u0080\u00ff' },
      body: '{"event_id":"nothing"}',
    },
  ];
};

const html = { accept: 'text/html' };

function everything(): Request[] {
  return [
    ...paths.flatMap(path => [{ path }, { path, headers: html }, { path, method: 'POST' }]),
    ...['TRACE', 'PATCH', 'PROPFIND', 'OPTIONS', 'HEAD'].map(method => ({ method, path: '/api/reports' })),
    ...accounts,
    ...accounts.map(request => ({ ...request, headers: { ...request.headers, cookie: caller.cookie } })),
    ...cookies.flatMap(cookie => [
      { path: '/api/auth/get-session', headers: { cookie } },
      { path: '/api/auth/token', headers: { cookie } },
      { path: '/', headers: { ...html, cookie } },
      {
        method: 'POST',
        path: '/api/auth/sign-out',
        headers: { ...json, cookie, origin: 'null' },
        body: '{}',
      },
    ]),
    ...['null', '::::', 'http://evil.example', long].map(origin => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: { ...json, origin, cookie: caller.cookie },
      body: '{"email":"a@b.example","password":"wrong-password"}',
    })),
    ...credentials.flatMap(headers => [
      { path: '/api/reports', headers },
      { path: '/api/keys', headers },
      { ...mcp[0], path: '/mcp', headers: { ...mcp[0]?.headers, ...headers } },
    ]),
    ...bodies,
    ...['/docs/', asset, '/openapi.json', '/'].flatMap(path => ofFiles.map(headers => ({ path, headers }))),
    ...mcp,
    ...signatures.map(signature => ({
      method: 'POST',
      path: '/api/billing/webhook',
      headers: { ...json, 'stripe-signature': signature },
      body: '{"id":"evt_1"}',
    })),
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
      answers[next.index] = await rawAnswer(next.bytes);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return answers;
}

async function rawAnswer(bytes: Buffer): Promise<string> {
  return connectRaw(billing.service.url).exchange(bytes);
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
  const log = accountsLog(
    createLogger('api', { level: 'trace', to: { write: line => void written.push(line) } }),
  );
  const failure = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of ['ECONNREFUSED', '42501', '57P01']) log('error', 'Failed to create user', failure(code));
  for (const detail of [failure('22021'), failure('23505'), new Error('x'), undefined])
    log('error', long, detail);
  expect(written.map(line => JSON.parse(line).level)).toEqual([50, 50, 50, 30, 30, 30, 30]);
  expect(written.filter(line => line.length > lineCharsMax && !line.includes('"err"'))).toEqual([]);
});
