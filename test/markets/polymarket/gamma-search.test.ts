import { describe, expect, test } from '@jest/globals';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { eventQuery } from '../event-query.js';
import { type FakeAnswer, type FakeRequest, sendJson, useFakeGamma } from './fake-gamma.js';
import { gammaEvent, gammaEvents, gammaMarket } from './gamma-fixtures.js';

const gamma = useFakeGamma();

describe('a text search', () => {
  test('requests one page in Gamma’s ranking, including closed markets', async () => {
    const search = await searchOf((_, response) =>
      sendJson(response, {
        events: [gammaEvent({ id: '1', volume: 5 }), gammaEvent({ id: '2', volume: 50 })],
        pagination: { hasMore: true, totalResults: 25 },
      }),
    );
    const page = await search({ search: ' rain & sun ', skip: 10, limit: 10 });
    expect(page.total).toBe(25);
    expect(idsOf(page)).toEqual(['1', '2']);
    expect(paramsOfRequests()).toMatchObject([
      {
        q: 'rain & sun',
        events_status: 'active',
        limit_per_type: '10',
        page: '2',
        keep_closed_markets: '1',
      },
    ]);
  });

  test.each([
    ['closed', 'resolved'],
    ['all', undefined],
  ] as const)('for %s events says %s', async (status, word) => {
    const search = await searchOf((_, response) => sendJson(response, { events: null }));
    expect(await search({ search: 'rain', status })).toEqual({ events: [], total: null });
    expect(paramsOfRequests()[0]?.['events_status']).toBe(word);
  });

  test('with more than 20 events per page combines batches without gap or overlap', async () => {
    const all = gammaEvents(90);
    const search = await searchOf(({ url }, response) => {
      const page = Number(url.searchParams.get('page'));
      const events = all.slice((page - 1) * 20, page * 20);
      sendJson(response, { events, pagination: { hasMore: page < 5, totalResults: 90 } });
    });
    const found = [];
    for (const page of [1, 2, 3]) {
      found.push(...idsOf(await search({ search: 'rain', skip: (page - 1) * 30, limit: 30, status: 'all' })));
    }
    expect(found).toEqual(ids(1, 90));
  });

  test('stops if a page repeats', async () => {
    const search = await searchOf((_, response) =>
      sendJson(response, { events: gammaEvents(20), pagination: { hasMore: true } }),
    );
    expect((await search({ search: 'rain', limit: 100, status: 'all' })).events).toHaveLength(20);
    expect(gamma.requests).toHaveLength(2);
  });

  test('returns nothing beyond the total, even if Gamma repeats its first page', async () => {
    const search = await searchOf((_, response) =>
      sendJson(response, { events: gammaEvents(3), pagination: { hasMore: true, totalResults: 3 } }),
    );
    expect((await search({ search: 'rain', skip: 20, status: 'all' })).events).toEqual([]);
  });

  test('for open events omits events whose markets are all closed', async () => {
    const over = gammaEvent({ id: '2', markets: [gammaMarket({ closed: true })] });
    const search = await searchOf((_, response) => sendJson(response, { events: [gammaEvent(), over, {}] }));
    expect(idsOf(await search({ search: 'rain' }))).toEqual(['900001']);
  });

  test('that Gamma cannot process has no results', async () => {
    const search = await searchOf((_, response) => sendJson(response, { error: 'invalid' }, 422));
    expect(await search({ search: '%', status: 'all' })).toEqual({ events: [], total: 0 });
  });
});

describe('the list of the most traded events', () => {
  test('follows the cursor that the market returns', async () => {
    const search = await searchOf(byCursor(50));
    const page = await search({ search: '  ', skip: 25, limit: 25 });
    expect(idsOf(page)).toEqual(ids(26, 50));
    expect(page.total).toBeNull();
    const asked = { order: 'volume', ascending: 'false', closed: 'false', limit: '20' };
    expect(paramsOfRequests()[0]).toEqual(asked);
    expect(paramsOfRequests().map(params => params['after_cursor'])).toEqual([undefined, '20', '40']);
  });

  test('stops without duplicates if the cursor repeats', async () => {
    const search = await searchOf((_, response) =>
      sendJson(response, { events: gammaEvents(20), next_cursor: `again-${gamma.requests.length}` }),
    );
    expect((await search({ limit: 100 })).events).toHaveLength(20);
    expect((await search({ skip: 20 })).events).toEqual([]);
    expect(gamma.requests).toHaveLength(4);
  });

  test('uses offsets if there are no cursors', async () => {
    const search = await searchOf(byOffset(45));
    expect(idsOf(await search({ skip: 30, limit: 30 }))).toEqual(ids(31, 45));
  });

  test('stops if offsets are ignored', async () => {
    const search = await searchOf(({ url }, response) =>
      url.pathname === '/events' ? sendJson(response, gammaEvents(20)) : sendJson(response, {}, 404),
    );
    expect((await search({ limit: 100 })).events).toHaveLength(20);
  });

  test('merges open and closed events by volume', async () => {
    const search = await searchOf(({ url }, response) => {
      const closed = url.searchParams.get('closed') === 'true';
      const volumes = closed ? [30, 10] : [40, 20];
      sendJson(response, { events: volumes.map(volume => gammaEvent({ id: `${volume}`, volume, closed })) });
    });
    expect(idsOf(await search({ limit: 3, status: 'all' }))).toEqual(['40', '30', '20']);
  });

  test('ends after 200 events without another request', async () => {
    const search = await searchOf(byCursor(600));
    expect((await search({ skip: 200 })).events).toEqual([]);
    expect(gamma.requests).toEqual([]);
  });

  test('merges as many batches as a page needs, and no event is missing or out of order', async () => {
    const all = gammaEvents(400).map((event, index) => ({ ...event, closed: index % 3 === 0 }));
    const search = await searchOf(({ url }, response) => {
      const listed = all.filter(event => String(event.closed) === url.searchParams.get('closed'));
      const start = Number(url.searchParams.get('after_cursor') ?? 0);
      sendJson(response, { events: listed.slice(start, start + 20), next_cursor: String(start + 20) });
    });
    expect(idsOf(await search({ skip: 100, limit: 100, status: 'all' }))).toEqual(ids(101, 200));
  });
});

describe('the deepest pages make few requests', () => {
  test.each([
    ['open', byCursor, 10],
    ['all', byCursor, 12],
    ['closed', byOffset, 11],
    ['all', byOffset, 14],
  ] as const)('of the most traded %s events', async (status, answer, most) => {
    const search = await searchOf(answer(2_000));
    for (const [page, perPage] of [
      [5, 100],
      [2, 100],
      [10, 100],
      [200, 1],
    ] as const) {
      const before = gamma.requests.length;
      await search({ skip: (page - 1) * perPage, limit: perPage, status });
      expect(gamma.requests.length - before).toBeLessThanOrEqual(most);
    }
  });

  test('of a text search', async () => {
    const search = await searchOf(({ url }, response) => {
      const page = Number(url.searchParams.get('page'));
      sendJson(response, { events: gammaEvents(20, page * 20), pagination: { hasMore: true } });
    });
    expect((await search({ search: 'rain', skip: 99, limit: 99, status: 'all' })).events).toHaveLength(99);
    expect(gamma.requests).toHaveLength(6);
  });
});

/** The next events of a list, open or closed as the request asks. */
function nextOf({ url: { searchParams } }: FakeRequest, start: number, count: number) {
  const end = Math.min(count, start + Number(searchParams.get('limit')));
  const closed = searchParams.get('closed') === 'true';
  const events = gammaEvents(Math.max(0, end - start), start + 1).map(event => ({ ...event, closed }));
  return { events, ...(end < count ? { next_cursor: String(end) } : {}) };
}

function byCursor(count: number): FakeAnswer {
  return (request, response) =>
    sendJson(response, nextOf(request, Number(request.url.searchParams.get('after_cursor') ?? 0), count));
}

function byOffset(count: number): FakeAnswer {
  return (request, response) => {
    const { pathname, searchParams } = request.url;
    if (pathname !== '/events') return sendJson(response, { error: 'id is invalid' }, 422);
    sendJson(response, nextOf(request, Number(searchParams.get('offset')), count).events);
  };
}

function ids(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

function paramsOfRequests(): Record<string, string>[] {
  return gamma.requests.map(path => Object.fromEntries(new URL(path, 'http://gamma.test').searchParams));
}

/** The search of a source that asks this server; by default a first page of twenty open events. */
async function searchOf(answer: FakeAnswer) {
  const baseUrl = await gamma.start(answer);
  const source = createGammaEventSource({ baseUrl, fetch, timeoutMs: 5000 });
  return (query: Partial<Parameters<typeof source.search>[0]> = {}) => source.search(eventQuery(query));
}

const idsOf = ({ events }: { events: readonly { eventId: string }[] }) => events.map(event => event.eventId);
