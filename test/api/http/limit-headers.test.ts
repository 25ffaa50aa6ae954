import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../api/openapi/document.js';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import type { Operation } from '../../../contract/operation.js';
import { operations } from '../../../contract/operations.js';
import { makeApiKey } from '../../../purchase/api-key.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { useApiAlone } from '../../support/service/api-alone.js';
import { type Sent, send, sendUnchecked } from '../../support/service/send.js';
import type { Answer } from '../../support/service/test-caller.js';
import { useTwoServices } from '../../support/use-service.js';

/** Whatever a caller asks, the response says what remains of its limits, and a 202, 429 or 503 when to ask again. */

interface Asked extends Sent {
  readonly method: string;
  readonly path: string;
}

const table: readonly Operation[] = Object.values(operations);
const limited = table.filter(({ throttled }) => throttled !== false).map(asRequest);
const unlimited = table.filter(({ throttled }) => throttled === false);

const html = { accept: 'text/html' };
const mcp = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const rpc = (message: object) => ({
  method: 'POST',
  path: '/mcp',
  headers: mcp,
  body: JSON.stringify({ jsonrpc: '2.0', ...message }),
});
const accepted = rpc({ method: 'notifications/initialized' });

/** What is no operation: pages, files, tools, and paths and methods that do not exist. */
const others: readonly Asked[] = [
  ...['/', '/track-record', '/sample', '/nowhere'].map(path => ({ method: 'GET', path, headers: html })),
  ...[
    '/docs',
    '/docs/record.md',
    '/llms.txt',
    '/robots.txt',
    '/.well-known/security.txt',
    '/assets/none.js',
    '/api/nowhere',
    '/mcp',
  ].map(path => ({ method: 'GET', path })),
  rpc({ id: 1, method: 'tools/list' }),
  accepted,
  { method: 'POST', path: '/mcp', headers: { ...mcp, 'x-api-key': forgedKey() }, body: '{}' },
  { method: 'OPTIONS', path: '/api/events' },
  { method: 'HEAD', path: '/api/events' },
  { method: 'PUT', path: '/api/events' },
  { method: 'POST', path: '/api/reports', headers: { 'content-type': 'text/plain' }, body: 'x' },
  { method: 'GET', path: '/healthz', headers: { host: '' } },
];

/** A request for the operation that names nothing that exists. */
function asRequest({ method, path, body, query }: Operation): Asked {
  const named = path.replaceAll(/\{\w+\}/g, '999999');
  return {
    method: method.toUpperCase(),
    path: query === undefined ? named : `${named}?page=1`,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
  };
}

function forgedKey(): string {
  return makeApiKey(count => crypto.getRandomValues(new Uint8Array(count)));
}

function ask(url: string, { path, ...sent }: Asked, credential: Record<string, string> = {}) {
  return sendUnchecked(url + path, { ...sent, headers: { ...credential, ...sent.headers } });
}

const retried = [202, 429, 503];

/** What a response should say of time and does not. */
function missingIn({ method, path }: Asked, { status, headers }: Answer): readonly string[] {
  const required = [
    ['RateLimit', /^"\w+"; ?r=\d+; ?t=\d+/],
    ['RateLimit-Policy', /^"\w+"; ?q=\d+; ?w=\d+/],
    ...(retried.includes(status) ? ([['Retry-After', /^[1-9]\d*$/]] as const) : []),
  ] as const;
  return required
    .filter(([name, form]) => !form.test(headers.get(name) ?? ''))
    .map(([name]) => `${method} ${path}: ${status} without ${name}`);
}

async function askAll(url: string, credential: Record<string, string>) {
  const [faults, statuses]: [string[], number[]] = [[], []];
  for (const asked of [...limited, ...others]) {
    const answer = await ask(url, asked, credential);
    faults.push(...missingIn(asked, answer));
    statuses.push(answer.status);
  }
  return { faults, statuses };
}

const [service, narrow] = await useTwoServices(
  { worker: false, pages: await loadPageRenderer() },
  { limits: { requestsPerMinute: { address: 1, anonymous: 1, credential: 1 } } },
);
const alone = await useApiAlone();
const caller = await service.newCaller(1_000);
const credentials = {
  nobody: {},
  'a key': { 'x-api-key': caller.key },
  'a session': { authorization: `Bearer ${caller.session}` },
  'a made-up key': { 'x-api-key': forgedKey() },
};

describe.each(Object.entries(credentials))('%s learns', (_who, credential: Record<string, string>) => {
  test.each([...limited, ...others])('from $method $path', async asked => {
    expect(missingIn(asked, await ask(service.url, asked, credential))).toEqual([]);
  });

  test('from each refusal of a limit', async () => {
    const { faults, statuses } = await askAll(narrow.url, credential);
    expect(faults).toEqual([]);
    expect(statuses.filter(status => status === 429).length).toBeGreaterThan(limited.length);
  });

  test('while neither database nor Temporal can be reached', async () => {
    const { faults, statuses } = await askAll(alone.url, credential);
    expect(faults).toEqual([]);
    expect(statuses.filter(status => status === 503).length).toBeGreaterThan(5);
  });
});

test('a message to the tools that needs no answer is accepted with 202', async () => {
  expect((await ask(service.url, accepted)).status).toBe(202);
});

test('a header that is missing would be found', () => {
  const without = { status: 503, headers: new Headers({ ratelimit: '"address"; r=1; t=2' }), body: null };
  expect(missingIn({ method: 'GET', path: '/x' }, without)).toEqual([
    'GET /x: 503 without RateLimit-Policy',
    'GET /x: 503 without Retry-After',
  ]);
});

test('only events of the payment provider are not limited, and say nothing of it', async () => {
  expect(unlimited).toEqual([operations.receivePaymentEvent]);
  const { path } = operations.receivePaymentEvent;
  const refused = await send(`${service.url}${path}`, { method: 'POST', body: '{}' });
  expectProblem(refused, 'payments_not_configured');
  expect(refused.headers.get('ratelimit')).toBeNull();
});

test('the document names these headers at each response that has them', () => {
  const document: any = createOpenApi('0.0.0');
  const faults = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { responses }]) =>
      Object.entries<any>(responses).flatMap(([status, { headers }]) => {
        const isLimited = path !== operations.receivePaymentEvent.path;
        const names = [
          ...(isLimited ? ['RateLimit', 'RateLimit-Policy'] : []),
          ...(retried.includes(Number(status)) ? ['Retry-After'] : []),
        ];
        return names.filter(name => !(name in headers)).map(name => `${method} ${path} ${status}: ${name}`);
      }),
    ),
  );
  expect(faults).toEqual([]);
});
