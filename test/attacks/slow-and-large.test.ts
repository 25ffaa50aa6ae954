import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createHttpServer } from '../../api/server/http-server.js';
import type { Citation } from '../../council/evidence/research.js';
import { statementsOf } from '../../council/evidence/statements.js';
import { connectionsMax } from '../../purchase/limits.js';
import { asOf, harmless } from '../council/evidence/research-fixtures.js';
import { connectRaw } from '../support/service/send-raw.js';
import { until } from '../support/until.js';

/** The server alone, with short times. test/api/http/bodies.test.ts sends slow and large bodies to the whole service. */
const times = { headersMs: 400, requestMs: 800, answerMs: 1_500, checkEveryMs: 50 };

const ended: string[] = [];
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = request.url ?? '';
  response.once('close', () => ended.push(name));
  if (name === '/small') response.end('small');
  else await pipeline(Readable.from(endless()), response).catch(() => undefined);
}

const app = createHttpServer(
  (request, response) => void answer(request, response),
  { log: pino({ level: 'silent' }), newId: randomUUID },
  times,
);
let url: string;

beforeAll(async () => {
  await new Promise<void>(resolve => app.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
});
afterAll(() => {
  app.closeAllConnections();
  app.close();
});

/** An answer that no reader can finish. */
function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1_024, ' ');
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('a caller who is slow on purpose', () => {
  test('and reads nothing of a large answer loses its connection, and what it holds is let go', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.on('error', () => undefined).write(get('/not-read'));
    await until('the answer is given up', () => ended.includes('/not-read'));
    socket.destroy();
  });

  test('and reads a little of it at a time loses its connection all the same', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.on('error', () => undefined).write(get('/sipped'));
    const sipping = setInterval(() => socket.read(1), 20);
    await until('the answer is given up', () => ended.includes('/sipped'));
    clearInterval(sipping);
    socket.destroy();
  });

  test('and sends nothing at all on a connection loses it', async () => {
    const [answer] = await connectRaw(url).answers();
    expect(answer).toMatchObject({ status: 408, body: { code: 'invalid_request' } });
  });

  test('and keeps a connection for later loses it while others are served', async () => {
    const kept = connectRaw(url);
    kept.write(get('/small').replace('Host', 'Connection: keep-alive\r\nHost') + 'GET /sm');
    expect(await (await fetch(`${url}/small`)).text()).toBe('small');
    const text = await kept.exchange(Buffer.from('all'));
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 408 /);
  });
});

test('the connections of a process are bounded', () => {
  expect(app.maxConnections).toBe(connectionsMax);
});

test('400 pages that are all cited for the whole text do not repeat the whole text for each page', () => {
  const text = `${harmless} `.repeat(2_300);
  const citations = Array.from({ length: 400 }, (_, index): Citation => {
    const url = `https://news${index}.example.org/a`;
    return { start: index, end: text.length, marks: 'statement', url, title: null, pageAge: null };
  });
  const { statements } = statementsOf({ text, citations, searches: 1, retrievedAt: asOf });
  const chars = statements.reduce((sum, statement) => sum + statement.text.length, 0);
  expect(chars).toBeLessThanOrEqual(text.length + 400 * 2_000);
  expect(new Set(statements.flatMap(each => each.citations.map(({ url }) => url))).size).toBe(400);
});
