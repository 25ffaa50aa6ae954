import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { giveUpAfterMs } from '../../support/until.js';
import { eventQuery } from '../event-query.js';
import { type FakeAnswer, sendHtml, sendJson, useFakeGamma } from './fake-gamma.js';
import { gammaEvent } from './gamma-fixtures.js';

const gamma = useFakeGamma();

describe('an event', () => {
  test('is requested by id or by slug', async () => {
    const source = await sourceOf(({ url }, response) => {
      sendJson(response, gammaEvent({ id: url.pathname === '/events/slug/will-it-rain' ? '1' : '2' }));
    });
    expect((await source.get('will-it-rain'))?.eventId).toBe('1');
    expect((await source.get('2'))?.eventId).toBe('2');
    expect(gamma.requests).toEqual(['/events/slug/will-it-rain', '/events/2']);
  });

  test.each([404, 422])('does not exist if Gamma responds with %i', async status => {
    const source = await sourceOf((_, response) => sendJson(response, { error: 'id not found' }, status));
    expect(await source.get('12')).toBeNull();
    expect(gamma.requests).toHaveLength(1);
  });

  test.each(['..', '../markets/1', 'a/b', '', 'a?b=c', 'é'])(
    'with the invalid id %j is not requested',
    async id => {
      const source = await sourceOf((_, response) => sendJson(response, gammaEvent()));
      expect(await source.get(id)).toBeNull();
      expect(gamma.requests).toEqual([]);
    },
  );

  test('with missing fields is parsed, and without markets does not exist', async () => {
    const bare = { id: '5', title: 'Bare', markets: [{ id: '6', question: 'Bare?' }] };
    const source = await sourceOf(({ url }, response) =>
      sendJson(response, url.pathname === '/events/5' ? bare : { ...bare, markets: [] }),
    );
    const markets = [{ name: 'Bare?', bestBid: null }];
    expect(await source.get('5')).toMatchObject({ title: 'Bare', markets });
    expect(await source.get('6')).toBeNull();
  });
});

describe('the market is unavailable and the error contains nothing of the response', () => {
  test('if both attempts time out, before the answer or in the middle of it', async () => {
    const source = await sourceOf(
      ({ url }, response) => {
        if (url.pathname === '/events/1') return;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
      },
      { timeoutMs: giveUpAfterMs },
    );
    const message = `Polymarket did not answer within ${giveUpAfterMs} ms.`;
    // Both at once: each takes two whole time-outs.
    await Promise.all(['1', '2'].map(id => expectUnavailable(source.get(id), { message })));
    expect(gamma.requests.toSorted()).toEqual(['/events/1', '/events/1', '/events/2', '/events/2']);
  });

  test.each<[string, FakeAnswer, { message: string; wait?: number; requests: number }]>([
    [
      'both attempts get 502 with an HTML page',
      (_, response) => sendHtml(response, 502),
      { message: 'Polymarket answered with status 502.', wait: 5, requests: 2 },
    ],
    [
      'it is rate limited with an HTML page, with the requested delay and without a retry',
      (_, response) => sendHtml(response, 429, { 'retry-after': '17' }),
      { message: 'Polymarket asks for fewer requests.', wait: 17, requests: 1 },
    ],
    [
      'it is overloaded and requests a delay, without a retry',
      (_, response) => sendHtml(response, 503, { 'retry-after': '30' }),
      { message: 'status 503', wait: 30, requests: 1 },
    ],
    [
      'it responds with HTML instead of JSON',
      (_, response) => sendHtml(response, 200),
      { message: 'not JSON', requests: 1 },
    ],
    [
      'its JSON is truncated',
      (_, response) => sendText(response, '{"id":"1","title":"secret-page-text'),
      { message: 'JSON that cannot be read', requests: 1 },
    ],
    [
      'its response is longer than 8 MB',
      (_, response) => sendText(response, `"${'x'.repeat(8 * 1024 * 1024)}"`),
      { message: 'more than 8 MB', requests: 1 },
    ],
    [
      'its response is not an event',
      (_, response) => sendJson(response, { bids: [], asks: [] }),
      { message: 'an event that cannot be read', requests: 1 },
    ],
  ])('if %s', async (_, answer, { requests, ...expected }) => {
    const source = await sourceOf(answer);
    await expectUnavailable(source.get('1'), expected);
    expect(gamma.requests).toHaveLength(requests);
  });

  test('if no server listens', async () => {
    const source = createGammaEventSource({ baseUrl: 'http://127.0.0.1:1', fetch, timeoutMs: 2000 });
    await expectUnavailable(source.search({ ...everything }), { message: 'could not be reached' });
  });

  test.each([{ events: 'secret-page-text' }, 'secret-page-text', [1]])(
    'if a search returns %j',
    async body => {
      const source = await sourceOf((_, response) => sendJson(response, body));
      const message = 'a search that cannot be read';
      await expectUnavailable(source.search({ ...everything, search: 'rain' }), { message });
    },
  );

  test('if it has no list of events', async () => {
    const source = await sourceOf((_, response) => sendJson(response, {}, 404));
    await expectUnavailable(source.search(everything), { message: 'a list that cannot be read' });
  });
});

describe('a second attempt succeeds', () => {
  const firstFails: Record<string, FakeAnswer> = {
    'after a broken connection': ({ raw }) => raw.socket.destroy(),
    'after an incomplete body': ({ raw }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{"id":', () => raw.socket.destroy());
    },
    'after a 502': (_, response) => sendHtml(response, 502),
    'after a timeout': () => {},
  };

  test.each(Object.entries(firstFails))('%s', async (_, fail) => {
    const source = await sourceOf(
      (request, response) =>
        request.count === 1 ? fail(request, response) : sendJson(response, gammaEvent()),
      { timeoutMs: giveUpAfterMs },
    );
    expect((await source.get('1'))?.title).toBe('Will it rain?');
    expect(gamma.requests).toHaveLength(2);
  });
});

function sendText(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

const everything = eventQuery();

async function sourceOf(answer: FakeAnswer, { timeoutMs = 5000 } = {}) {
  const baseUrl = await gamma.start(answer);
  return createGammaEventSource({ baseUrl: `${baseUrl}/`, fetch, timeoutMs });
}

async function expectUnavailable(
  answer: Promise<unknown>,
  expected: { readonly message: string; readonly wait?: number },
): Promise<void> {
  const error: unknown = await answer.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MarketUnavailable);
  expect(error).toMatchObject({ message: expect.stringContaining(expected.message) });
  expect(String(error)).not.toContain('secret-page-text');
  if (expected.wait !== undefined) expect(error).toMatchObject({ retryAfterSeconds: expected.wait });
}
