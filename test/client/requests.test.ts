import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CouncilReports } from '../../client/council-reports.js';
import { readServerSentEvents } from '../../client/server-sent-events.js';
import { closeServer, listen } from '../support/listen.js';
import { until } from '../support/until.js';

interface Reply {
  readonly status: number;
  readonly code?: string;
  readonly retryAfter?: number;
  readonly outcome?: 'unknown';
}

/** What the service replies, in this order; the last one again and again. */
let replies: Reply[] = [];
let requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
const server = createServer((request, response) => {
  const { method, url, headers } = request;
  requests.push({ method, url, headers });
  const reply = replies.length > 1 ? replies.shift() : replies[0];
  const { status, code, retryAfter, ...fields } = reply ?? { status: 200 };
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(
    JSON.stringify(code === undefined ? { ok: true } : { code, status, detail: 'No.', ...fields }),
  );
});
const baseUrl = `http://127.0.0.1:${await listen(server)}/`;
const council = new CouncilReports({ apiKey: 'pc_live_1', baseUrl });

beforeEach(() => {
  requests = [];
});
afterAll(() => closeServer(server));

const busy = { status: 503, code: 'unavailable', retryAfter: 0 };
const limited = { status: 429, code: 'rate_limited', retryAfter: 0 };
const fine = { status: 200 };
const purchase = { event_id: 'sample-fed-cut-2031' };

describe('a request that the service is too busy for', () => {
  test.each([[busy], [limited]])('is sent again as the service says: %j', async refusal => {
    replies = [refusal, refusal, fine];
    await expect(council.trackRecord.get()).resolves.toEqual({ ok: true });
    expect(requests).toHaveLength(3);
    expect(requests[0]?.headers['authorization']).toBe('Bearer pc_live_1');
  });

  test.each<[limit: string, Reply]>([
    ['a limit of a day', { status: 503, code: 'house_limit_reached', retryAfter: 40_000 }],
    ['a limit of an hour', { status: 429, code: 'run_limit_exceeded', retryAfter: 3_400 }],
    ['no time', { status: 503, code: 'payments_not_configured' }],
    ['another problem', { status: 404, code: 'not_found', retryAfter: 0 }],
  ])('is not sent again for %s', async (_, refusal) => {
    replies = [refusal, fine];
    await expect(council.trackRecord.get()).rejects.toMatchObject({
      code: refusal.code,
      status: refusal.status,
      retryAfterSeconds: refusal.retryAfter ?? null,
    });
    expect(requests).toHaveLength(1);
  });

  test('is not sent again by a caller that wants no further tries', async () => {
    replies = [busy, fine];
    const once = new CouncilReports({ baseUrl, retryWithinSeconds: 0 });
    await expect(once.trackRecord.get()).rejects.toMatchObject({ code: 'unavailable' });
    expect(requests).toHaveLength(1);
  });

  test('ends with the reason of its signal during a pause', async () => {
    replies = [{ ...busy, retryAfter: 50 }];
    const leaving = new AbortController();
    const reading = council.trackRecord.get({ signal: leaving.signal });
    reading.catch(() => undefined);
    await until('the refusal', () => requests.length);
    leaving.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('a purchase', () => {
  test('is sent again under the same key only', async () => {
    replies = [busy, limited, fine];
    await council.reports.buy(purchase);
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{32}$/)));
    expect(new Set(keys).size).toBe(1);
  });

  test('has a key of its own each time', async () => {
    replies = [fine];
    await council.reports.buy(purchase);
    await council.reports.buy(purchase);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  test('without a key is sent once, whatever the service replies', async () => {
    replies = [busy, fine];
    await expect(council.request('POST /api/reports', { body: purchase })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(requests).toHaveLength(1);
  });

  test('whose outcome stays unknown is sent once more, and says so', async () => {
    replies = [{ status: 503, code: 'unavailable', outcome: 'unknown' }];
    await expect(council.reports.buy(purchase)).rejects.toMatchObject({ code: 'purchase_unknown' });
    expect(requests).toHaveLength(2);
    expect(requests[0]?.headers['idempotency-key']).toBe(requests[1]?.headers['idempotency-key']);
  });
});

test('a service that is not there is unreachable', async () => {
  const nowhere = new CouncilReports({ baseUrl: 'http://127.0.0.1:1' });
  await expect(nowhere.events.search()).rejects.toMatchObject({ code: 'unreachable', status: null });
});

describe('server-sent events', () => {
  const text =
    ': hello\nretry: 3000\n\nid: 1\nevent: a\ndata: {"x":\ndata: "ü"}\n\r\n\r\nid:2\rdata: two\r\rdata: cut off';
  const expected = [
    { id: '1', event: 'a', data: '{"x":\n"ü"}' },
    { id: '2', event: 'message', data: 'two' },
  ];

  test.each([1, 2, 3, 7, 1_000])('are the same in pieces of %i bytes', async size => {
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    const retries: number[] = [];
    const read: unknown[] = [];
    const onRetry = (ms: number) => void retries.push(ms);
    for await (const event of readServerSentEvents(body, { onRetry, silenceMaxMs: 1_000 })) read.push(event);
    expect(read).toEqual(expected);
    expect(retries).toEqual([3_000]);
  });

  test('end with an error if nothing is sent for too long', async () => {
    const body = new ReadableStream<Uint8Array>();
    const reading = readServerSentEvents(body, { onRetry: () => undefined, silenceMaxMs: 20 });
    await expect(reading.next()).rejects.toThrow('Nothing was sent');
  });
});
