import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { createSampleEventSource } from '../../../simulator/events/sample-event-source.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { send } from '../../support/service/send.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

let service: TestService;
/** While true the market answers nothing. */
let away = false;

beforeAll(async () => {
  const market = createSampleEventSource();
  const reach = () => {
    if (away) throw new MarketUnavailable('it hung up on us: secret-internal-host', 7);
    return market;
  };
  service = await startTestService({
    markets: {
      search: async query => reach().search(query),
      get: async eventId => reach().get(eventId),
    },
  });
});

afterAll(() => service.stop());

const get = async (path: string) => {
  const answer = await send(service.url + path);
  expect(answer.status).toBe(200);
  return answer.body;
};
const ids = (body: { events: { event_id: string }[] }) => body.events.map(({ event_id }) => event_id);

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

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

describe('an event', () => {
  test('has every documented field, in a list and alone', async () => {
    const open = await get('/api/events?per_page=100');
    const closed = await get('/api/events?search=2025&status=closed');
    for (const listed of [...open.events, ...closed.events]) {
      expect(await get(`/api/events/${listed.event_id}`)).toEqual(listed);
      expect(listed).toMatchObject({
        event_id: expect.stringMatching(/^\S+$/),
        title: expect.stringMatching(/\S/),
        description: expect.any(String),
        category: expect.any(String),
        closes_at: instant,
        status: expect.stringMatching(/^(open|closed)$/),
        exclusive: expect.any(Boolean),
        volume: expect.any(Number),
      });
      expect(listed).toHaveProperty('url');
      expect(listed.markets.length).toBeGreaterThan(0);
      for (const market of listed.markets) expectMarket(market);
    }
  });

  function expectMarket(market: Record<string, unknown>) {
    expect(market).toMatchObject({
      market: expect.stringMatching(/\S/),
      slug: expect.stringMatching(/^\S+$/),
      status: expect.stringMatching(/^(open|closed)$/),
      volume: expect.any(Number),
    });
    for (const price of ['yes_price', 'best_bid', 'best_ask']) {
      const value = market[price];
      expect(market).toHaveProperty(price);
      if (value === null) continue;
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(JSON.stringify(value)).toMatch(/^[01](\.\d{1,6})?$/);
    }
  }
});

describe('while the market is unavailable', () => {
  test('requests that need it return unavailable with Retry-After, and nothing is charged', async () => {
    const caller = await service.newCaller(1_000);
    const bought = await caller.buy('sample-bitcoin-high-2031');
    await caller.untilEnded(bought.body.report_id);
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

      const owned = await caller.buy('sample-bitcoin-high-2031');
      expect(owned).toMatchObject({ status: 200, body: { credits_spent: 0 } });
      expect((await caller.get(`/api/reports/${owned.body.report_id}`)).status).toBe(200);
      expect((await caller.get('/api/credits/pricing')).status).toBe(200);
    } finally {
      away = false;
    }
  });
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
