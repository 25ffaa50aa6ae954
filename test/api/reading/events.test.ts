import { describe, expect, test } from '@jest/globals';
import { saveEvent } from '../../../db/reports/events.js';
import { MarketUnavailable, type PricePoint } from '../../../markets/event-source.js';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { resolvedSamples } from '../../../simulator/events/resolved-samples.js';
import { event, market } from '../../council/fixtures.js';
import { bought } from '../../db/support/purchases.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

/** While true the market answers nothing. */
let away = false;
/** Answers what each market traded at, instead of what the samples keep. */
let past: (() => readonly PricePoint[]) | null = null;

const samples = createSampleEventSource();
const reach = () => {
  if (away) throw new MarketUnavailable('it hung up on us: secret-internal-host', 7);
  return samples;
};
const service = await useTestService({
  worker: false,
  markets: {
    search: async query => reach().search(query),
    get: async eventId => reach().get(eventId),
    readEnding: async eventId => reach().readEnding(eventId),
    readPrices: async query => past?.() ?? reach().readPrices(query),
  },
});

const get = async (path: string) => {
  const answer = await send(service.url + path);
  expect(answer.status).toBe(200);
  return answer.body;
};
const ids = (body: { events: { event_id: string }[] }) => body.events.map(({ event_id }) => event_id);

describe('searching events', () => {
  test('needs no credential and returns open events, most traded first', async () => {
    const body = await get('/api/events');
    expect(body).toMatchObject({ page: 1, per_page: 20, total: body.events.length });
    expect(body.events.length).toBeGreaterThanOrEqual(12);
    for (const event of body.events) expect(event.status).toBe('open');
    const volumes = body.events.map(({ volume }: { volume: number }) => volume);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
  });

  test('pages without gaps or duplicates, and ends with an empty page', async () => {
    const whole = await get('/api/events?search=selwyn&status=all&per_page=100');
    const paged: string[] = [];
    const pages = Math.ceil(whole.total / 4);
    for (let page = 1; page <= pages; page++) {
      const body = await get(`/api/events?search=selwyn&status=all&per_page=4&page=${page}`);
      expect(body).toMatchObject({ page, per_page: 4, total: whole.total });
      paged.push(...ids(body));
    }
    expect(paged).toEqual(ids(whole));
    expect(await get(`/api/events?search=selwyn&status=all&per_page=4&page=${pages + 1}`)).toMatchObject({
      events: [],
      total: whole.total,
    });
  });
});

test('a search of one venue finds its events, and one of a venue that is not read here says which are', async () => {
  const body = await get('/api/events?venue=sample');
  expect(body.events.length).toBeGreaterThan(0);
  for (const event of body.events) expect(event).toMatchObject({ venue: 'sample', volume_unit: 'usd' });
  expect(body.unavailable).toEqual([]);
  const refused = await send(`${service.url}/api/events?venue=kalshi`);
  expectProblem(refused, 'invalid_request');
  expect(refused.body.errors).toEqual([{ parameter: 'venue', detail: 'this service reads only sample' }]);
});

describe('the past prices of a market', () => {
  test('are those of the sample record, within the time asked for', async () => {
    const [sample] = resolvedSamples;
    const moments = sample?.moments.map(({ at }) => at) ?? [];
    const ended = parseGammaEvent(sample?.ended, 'sample');
    const [from = '', to = ''] = [moments[0], moments.at(-1)];
    const span = new URLSearchParams({ from, to, market: ended?.markets[0]?.slug ?? '' });
    const body = await get(`/api/events/${ended?.eventId}/prices?${span.toString()}`);
    expect(body).toMatchObject({ event_id: ended?.eventId, slug: ended?.markets[0]?.slug });
    expect(body.points.map(({ at }: { at: string }) => at)).toEqual(moments);
    for (const { yes_price } of body.points) expect(yes_price).toBeGreaterThan(0);
  });

  test('are an empty list where the venue keeps none', async () => {
    expect((await get('/api/events/sample-fed-cut-2031/prices')).points).toEqual([]);
  });

  test.each(['no-such-event/prices', 'sample-fed-cut-2031/prices?market=none'])(
    'of %s are not found',
    async path => {
      expectProblem(await send(`${service.url}/api/events/${path}`), 'event_not_found');
    },
  );

  test('are at most 500 points, evenly chosen, with the first and the last', async () => {
    const startMs = Date.parse('2031-02-01T00:00:00Z');
    const prices = Array.from({ length: 2_001 }, (_, index) => ({
      at: new Date(startMs + index * 60_000).toISOString(),
      yesPrice: index / 2_001,
    }));
    past = () => prices;
    const { points } = await get('/api/events/sample-fed-cut-2031/prices');
    past = () => prices.slice(0, 500);
    const whole = await get('/api/events/sample-fed-cut-2031/prices');
    past = null;
    const all = prices.map(({ at }) => at);
    const shown: string[] = points.map(({ at }: { at: string }) => at);
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([500, all[0], all.at(-1)]);
    const steps = shown.slice(1).map((at, index) => all.indexOf(at) - all.indexOf(shown[index] ?? ''));
    expect(new Set(steps)).toEqual(new Set([4, 5]));
    expect(whole.points).toHaveLength(500);
  });

  test('are unavailable while the venue answers nothing, or about events alone', async () => {
    const asked = () => send(`${service.url}/api/events/sample-fed-cut-2031/prices`);
    past = () => {
      throw new MarketUnavailable('it hung up on us: secret-internal-host', 7);
    };
    const withoutPrices = await asked();
    past = null;
    away = true;
    const withoutEvent = await asked();
    away = false;
    for (const answer of [withoutPrices, withoutEvent]) {
      expectProblem(answer, 'unavailable');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
      expect(JSON.stringify(answer.body)).not.toContain('secret-internal-host');
    }
  });

  test('cannot be asked for backwards', async () => {
    const span = 'from=2031-03-02T00:00:00Z&to=2031-03-01T00:00:00Z';
    const answer = await send(`${service.url}/api/events/sample-fed-cut-2031/prices?${span}`);
    expectProblem(answer, 'invalid_request');
  });
});

test('an event has every documented field, in a list and alone', async () => {
  const open = await get('/api/events?per_page=100');
  const closed = await get('/api/events?search=2025&status=closed');
  for (const listed of [...open.events, ...closed.events]) {
    expect(await get(`/api/events/${listed.event_id}`)).toEqual(listed);
    expect(listed.event_id).toMatch(/^\S+$/);
    expect(listed.title).toMatch(/\S/);
    expect(listed.markets.length).toBeGreaterThan(0);
    for (const each of listed.markets) {
      expect(each.market).toMatch(/\S/);
      expect(each.slug).toMatch(/^\S+$/);
      for (const price of [each.yes_price, each.best_bid, each.best_ask]) {
        if (price !== null) expect(JSON.stringify(price)).toMatch(/^([01]|0\.\d{1,6})$/);
      }
    }
  }
});

test('while the market is unavailable, what needs it says so with Retry-After, and nothing is charged', async () => {
  const caller = await service.newCaller(1_000);
  const owned = 'sample-bitcoin-high-2031';
  const { db } = service.database;
  const now = new Date();
  await saveEvent(db, event([market({ name: 'Rain' })], { eventId: owned }), now);
  const wish = { accountId: caller.accountId, eventId: owned, utcDay: now.toISOString().slice(0, 10) };
  const { reportId } = await bought(db, wish, { now });
  const [before, balance] = [await footprint(service), await caller.balance()];
  away = true;
  try {
    for (const answer of [
      await caller.get('/api/events'),
      await caller.get('/api/events/sample-fed-cut-2031'),
      await caller.get('/api/reports/check/sample-fed-cut-2031'),
      await caller.buy('sample-fed-cut-2031'),
      await caller.buy('no-such-event', {}, { 'idempotency-key': 'kept' }),
    ]) {
      expectProblem(answer, 'unavailable');
      expect(answer.headers.get('retry-after')).toBe('7');
      expect(JSON.stringify(answer.body)).not.toContain('secret-internal-host');
    }
    expect(await footprint(service)).toEqual(before);
    expect(await hasWorkflow(service, caller.accountId, 'sample-fed-cut-2031')).toBe(false);
    expect(await caller.balance()).toBe(balance);

    const sold = { report_id: reportId, credits_spent: 0 };
    expect(await caller.buy(owned)).toMatchObject({ status: 200, body: sold });
    for (const path of [`/api/reports/${reportId}`, '/api/credits/pricing'])
      expect((await caller.get(path)).status).toBe(200);
  } finally {
    away = false;
  }
});

describe('the same events for everybody', () => {
  const list = '/api/events?status=all&per_page=100';

  test.each([list, '/api/events/sample-calder-mayor-2031'])(
    '%s is revalidated by a weak ETag',
    async path => {
      const { headers } = await send(service.url + path);
      const etag = headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[^"]+"$/);
      expect(headers.get('cache-control')).toBe('public, no-cache');
      for (const tag of [etag, `"other", ${etag}`]) {
        const again = await send(service.url + path, { headers: { 'if-none-match': tag } });
        expect(again).toMatchObject({ status: 304, body: null });
        expect(again.headers.get('etag')).toBe(etag);
      }
      const other = await send(service.url + path, { headers: { 'if-none-match': 'W/"other"' } });
      expect(other.status).toBe(200);
    },
  );

  test('another page or search has another ETag', async () => {
    const tags = await Promise.all(
      ['', '?page=2', '?search=federal'].map(async query =>
        (await send(`${service.url}/api/events${query}`)).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test.each([list, '/api/stats/track-record'])('%s is compressed for who accepts it', async path => {
    const read = async (encoding: string) => {
      const response = await fetch(service.url + path, { headers: { 'accept-encoding': encoding } });
      return { headers: response.headers, text: await response.text() };
    };
    const [plain, packed] = [await read('identity'), await read('gzip')];
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(packed.headers.get('etag')).toMatch(/^W\//);
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(packed.text).toBe(plain.text);
  });
});
