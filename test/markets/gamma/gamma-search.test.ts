import { afterEach, describe, expect, test } from '@jest/globals';
import { createGammaEventSource } from '../../../markets/gamma/gamma-event-source.js';
import { type FakeAnswer, type FakeGamma, sendJson, startFakeGamma } from './fake-gamma.js';
import { gammaEvent, gammaEvents, gammaMarket } from './gamma-fixtures.js';

let gamma: FakeGamma | undefined;

afterEach(async () => {
  await gamma?.close();
  gamma = undefined;
});

describe('a text search', () => {
  test('requests one page in Gamma’s ranking, including closed markets', async () => {
    const source = await sourceOf((_, response) =>
      sendJson(response, {
        events: [gammaEvent({ id: '1', volume: 5 }), gammaEvent({ id: '2', volume: 50 })],
        pagination: { hasMore: true, totalResults: 25 },
      }),
    );
    const page = await source.search({ search: ' rain & sun ', page: 2, perPage: 10, status: 'open' });
    expect(page.total).toBe(25);
    expect(page.events.map(event => event.eventId)).toEqual(['1', '2']);
    const [asked] = paramsOfRequests();
    expect(gamma?.requests).toHaveLength(1);
    expect(asked).toMatchObject({
      q: 'rain & sun',
      events_status: 'active',
      limit_per_type: '10',
      page: '2',
      keep_closed_markets: '1',
    });
  });

  test.each([
    ['closed', 'resolved'],
    ['all', undefined],
  ] as const)('for %s events says %s', async (status, word) => {
    const source = await sourceOf((_, response) => sendJson(response, { events: null }));
    expect(await source.search({ search: 'rain', page: 1, perPage: 10, status })).toEqual({
      events: [],
      total: null,
    });
    expect(paramsOfRequests()[0]?.['events_status']).toBe(word);
  });

  test('with more than 20 events per page combines batches without gap or overlap', async () => {
    const all = gammaEvents(90);
    const source = await sourceOf(({ url }, response) => {
      const page = Number(url.searchParams.get('page'));
      const events = all.slice((page - 1) * 20, page * 20);
      sendJson(response, { events, pagination: { hasMore: page < 5, totalResults: 90 } });
    });
    const pages = [];
    for (const page of [1, 2, 3]) {
      pages.push(...(await source.search({ search: 'rain', page, perPage: 30, status: 'all' })).events);
    }
    expect(pages.map(event => event.eventId)).toEqual(all.map(event => event['id']));
  });

  test('stops if a page repeats', async () => {
    const source = await sourceOf((_, response) =>
      sendJson(response, { events: gammaEvents(20), pagination: { hasMore: true } }),
    );
    const { events } = await source.search({ search: 'rain', page: 1, perPage: 100, status: 'all' });
    expect(events).toHaveLength(20);
    expect(gamma?.requests).toHaveLength(2);
  });

  test('returns nothing beyond the total, even if Gamma repeats its first page', async () => {
    const source = await sourceOf((_, response) =>
      sendJson(response, { events: gammaEvents(3), pagination: { hasMore: true, totalResults: 3 } }),
    );
    expect((await source.search({ search: 'rain', page: 2, perPage: 20, status: 'all' })).events).toEqual([]);
  });

  test('for open events omits events whose markets are all closed', async () => {
    const over = gammaEvent({ id: '2', markets: [gammaMarket({ closed: true })] });
    const source = await sourceOf((_, response) => sendJson(response, { events: [gammaEvent(), over, {}] }));
    const { events } = await source.search({ search: 'rain', page: 1, perPage: 20, status: 'open' });
    expect(events.map(event => event.eventId)).toEqual(['900001']);
  });

  test('that Gamma cannot process has no results', async () => {
    const source = await sourceOf((_, response) => sendJson(response, { error: 'invalid' }, 422));
    expect(await source.search({ search: '%', page: 1, perPage: 20, status: 'all' })).toEqual({
      events: [],
      total: 0,
    });
  });
});

describe('the list of the most traded events', () => {
  test('follows the cursor that the market returns', async () => {
    const source = await sourceOf(byCursor(50));
    const { events, total } = await source.search({ search: '  ', page: 2, perPage: 25, status: 'open' });
    expect(events.map(event => event.eventId)).toEqual(ids(26, 50));
    expect(total).toBeNull();
    expect(paramsOfRequests()[0]).toEqual({
      order: 'volume',
      ascending: 'false',
      closed: 'false',
      limit: '20',
    });
    expect(paramsOfRequests().map(params => params['after_cursor'])).toEqual([undefined, '20', '40']);
  });

  test('stops without duplicates if the cursor repeats', async () => {
    const source = await sourceOf((_, response) =>
      sendJson(response, { events: gammaEvents(20), next_cursor: `again-${gamma?.requests.length}` }),
    );
    const { events } = await source.search({ search: '', page: 1, perPage: 100, status: 'open' });
    expect(events).toHaveLength(20);
    expect((await source.search({ search: '', page: 2, perPage: 20, status: 'open' })).events).toEqual([]);
    expect(gamma?.requests).toHaveLength(4);
  });

  test('uses offsets if there are no cursors', async () => {
    const source = await sourceOf(byOffset(45));
    const { events } = await source.search({ search: '', page: 2, perPage: 30, status: 'open' });
    expect(events.map(event => event.eventId)).toEqual(ids(31, 45));
  });

  test('stops if offsets are ignored', async () => {
    const source = await sourceOf(({ url }, response) =>
      url.pathname === '/events' ? sendJson(response, gammaEvents(20)) : sendJson(response, {}, 404),
    );
    const { events } = await source.search({ search: '', page: 1, perPage: 100, status: 'open' });
    expect(events).toHaveLength(20);
  });

  test('merges open and closed events by volume', async () => {
    const source = await sourceOf(({ url }, response) => {
      const closed = url.searchParams.get('closed') === 'true';
      const events = closed
        ? [gammaEvent({ id: '3', volume: 30, closed }), gammaEvent({ id: '1', volume: 10, closed })]
        : [gammaEvent({ id: '4', volume: 40 }), gammaEvent({ id: '2', volume: 20 })];
      sendJson(response, { events });
    });
    const { events } = await source.search({ search: '', page: 1, perPage: 3, status: 'all' });
    expect(events.map(event => event.eventId)).toEqual(['4', '3', '2']);
  });

  test('ends after 200 events without another request', async () => {
    const source = await sourceOf(byCursor(600));
    expect((await source.search({ search: '', page: 11, perPage: 20, status: 'open' })).events).toEqual([]);
    expect(gamma?.requests).toEqual([]);
  });

  test('merges as many batches as a page needs, and no event is missing or out of order', async () => {
    const all = gammaEvents(400).map((event, index) => ({ ...event, closed: index % 3 === 0 }));
    const source = await sourceOf(({ url }, response) => {
      const listed = all.filter(event => String(event.closed) === url.searchParams.get('closed'));
      const start = Number(url.searchParams.get('after_cursor') ?? 0);
      sendJson(response, { events: listed.slice(start, start + 20), next_cursor: String(start + 20) });
    });
    const { events } = await source.search({ search: '', page: 2, perPage: 100, status: 'all' });
    expect(events.map(event => event.eventId)).toEqual(ids(101, 200));
  });
});

describe('the deepest pages make few requests', () => {
  test.each([
    ['open', byCursor(2_000), 10],
    ['all', byCursor(2_000), 12],
    ['closed', byOffset(2_000), 11],
    ['all', byOffset(2_000), 14],
  ] as const)('of the most traded %s events', async (status, answer, most) => {
    const source = await sourceOf(({ url, ...request }, response) => {
      const json = response.end.bind(response);
      response.end = ((body: string) =>
        json(body.replaceAll('"closed":false', `"closed":${url.searchParams.get('closed')}`))) as never;
      answer({ url, ...request }, response);
    });
    for (const [page, perPage] of [
      [5, 100],
      [2, 100],
      [10, 100],
      [200, 1],
    ] as const) {
      const before = gamma?.requests.length ?? 0;
      await source.search({ search: '', page, perPage, status });
      expect((gamma?.requests.length ?? 0) - before).toBeLessThanOrEqual(most);
    }
  });

  test('of a text search', async () => {
    const source = await sourceOf(({ url }, response) => {
      const page = Number(url.searchParams.get('page'));
      sendJson(response, { events: gammaEvents(20, page * 20), pagination: { hasMore: true } });
    });
    const { events } = await source.search({ search: 'rain', page: 2, perPage: 99, status: 'all' });
    expect(events).toHaveLength(99);
    expect(gamma?.requests).toHaveLength(6);
  });
});

function byCursor(count: number): FakeAnswer {
  const all = gammaEvents(count);
  return ({ url }, response) => {
    const start = Number(url.searchParams.get('after_cursor') ?? 0);
    const end = start + Number(url.searchParams.get('limit'));
    sendJson(response, {
      events: all.slice(start, end),
      ...(end < count ? { next_cursor: String(end) } : {}),
    });
  };
}

function byOffset(count: number): FakeAnswer {
  const all = gammaEvents(count);
  return ({ url }, response) => {
    if (url.pathname !== '/events') {
      sendJson(response, { error: 'id is invalid' }, 422);
      return;
    }
    const start = Number(url.searchParams.get('offset'));
    sendJson(response, all.slice(start, start + Number(url.searchParams.get('limit'))));
  };
}

function ids(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

function paramsOfRequests(): Record<string, string>[] {
  return (gamma?.requests ?? []).map(path =>
    Object.fromEntries(new URL(path, 'http://gamma.test').searchParams),
  );
}

async function sourceOf(answer: FakeAnswer) {
  gamma = await startFakeGamma(answer);
  return createGammaEventSource({ baseUrl: gamma.baseUrl, fetch, timeoutMs: 5000 });
}
