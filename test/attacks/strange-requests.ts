import { gzipSync } from 'node:zlib';

/** Requests that no client would send by mistake. */

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export const json = { 'content-type': 'application/json' };
export const long = 'x'.repeat(8_000);
export const nul = '\\u0000';
const deep = '['.repeat(30_000) + ']'.repeat(30_000);
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const token = (header: object, payload: object = { sub: 'x', exp: 9_999_999_999 }) =>
  `${encoded(header)}.${encoded(payload)}.c2lnbmF0dXJl`;

/** Paths that a browser would never write. */
export const paths = [
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

export const accounts: readonly Request[] = [
  ['sign-in/email', { email: 'a@b.example', password: 'wrong-password' }],
  ['sign-in/email', { email: ['a'], password: {} }],
  ['sign-in/email', { email: 'a@b.example', password: long }],
  ['sign-in/email', { email: 'a\u0000@b.example', password: 'x\u0000xxxxxxx' }],
  ['sign-in/email', { email: 'a@b.example', password: 'wrong-password', callbackURL: '//evil.example' }],
  ['sign-in/social', { provider: 'google' }],
  ['sign-in/social', { provider: '__proto__' }],
  ['sign-up/email', { email: 'nul@b.example', password: 'long-enough', name: '\u0000' }],
  ['sign-up/email', { email: 'sur@b.example', password: 'long-enough', name: '\ud800' }],
  ['sign-up/email', { email: 'im@b.example', password: 'long-enough', name: 'x', image: 7 }],
  ['sign-up/email', { email: 'ev@b.example', password: 'long-enough', name: 'x', emailVerified: true }],
  ['sign-up/email', null],
  ['sign-up/email', []],
  ['reset-password', { newPassword: 'x', token: 'y' }],
  ['request-password-reset', { email: 'a@b.example', redirectTo: '//evil.example' }],
  ['send-verification-email', { email: 'a@b.example' }],
  ['change-email', { newEmail: 'x' }],
  ['update-user', { name: '\u0000' }],
  ['delete-user', {}],
  ['revoke-session', { token: '\u0000' }],
  ['nothing/here', {}],
].map(([path, body]) => ({
  method: 'POST',
  path: `/api/auth/${path as string}`,
  headers: json,
  body: JSON.stringify(body),
}));

export const cookies = [
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

export const credentials: readonly Record<string, string>[] = [
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

export const bodies: readonly Request[] = [
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

export const ofFiles: readonly Record<string, string>[] = [
  { range: 'bytes=99999999-' },
  { range: 'bytes=0-0,2-2,4-4' },
  { 'if-match': '"nothing"' },
  { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
];

const toolCall = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;

export const mcp: readonly Request[] = [
  '{',
  '[]',
  '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]',
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  toolCall('{"name":"nothing"}'),
  toolCall('{"name":"get_event","arguments":{"event_id":"\\u0000"}}'),
  toolCall('{"name":"get_event","arguments":{"event_id":"\\ud800"}}'),
  toolCall('{"name":"search_events","arguments":{"search":"\\u0000"}}'),
  toolCall('{"name":"get_report","arguments":{"report_id":1e99}}'),
  `{"jsonrpc":"2.0","id":1,"method":"${long}"}`,
].map(body => ({
  method: 'POST',
  path: '/mcp',
  headers: { ...json, accept: 'application/json, text/event-stream' },
  body,
}));

export const signatures = [
  '',
  't=1,v1=x',
  't=,v1=',
  long,
  `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
];
