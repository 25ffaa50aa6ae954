import { beforeEach, describe, expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../../markets/event-source.js';
import type { ProbedVenue } from '../../../markets/probe/compare-fields.js';
import { isBroken, probeVenue } from '../../../markets/probe/probe-venue.js';
import { kalshiEvent, kalshiMarket } from '../kalshi/kalshi-fixtures.js';
import { gammaEvent, gammaMarket } from '../polymarket/gamma-fixtures.js';

let answers: Record<string, unknown>;
let asked: string[];

/** A row of the data API, in the fields of its published client. */
const resolution = {
  question_id: '0x2',
  condition_id: '0x1',
  status: 'proposed',
  was_disputed: false,
  was_arbitrated: false,
  extended_review: false,
  new_version_q: false,
  proposed_price: '1000000000000000000',
  reproposed_price: '69',
  price: '69',
  resolution_source: 'reported',
  reporter: 'UMA_OO',
  market_type: 'BINARY',
  transaction_hash: null,
  resolved_at: null,
};
const candlestick = {
  end_period_ts: 1_928_966_400,
  price: { open_dollars: '0.4000', close_dollars: '0.4100', previous_dollars: null },
  yes_bid: { close_dollars: '0.4000' },
  yes_ask: { close_dollars: '0.4200' },
  volume_fp: '1.00',
  open_interest_fp: '9.00',
};
const market = { ...gammaMarket(), conditionId: '0x1', clobTokenIds: '["71","72"]' };
const events = 'https://gamma.example/events';
const resolutions = 'https://data.example/v2/resolutions';
const history = 'https://clob.example/prices-history';
const kalshi = 'https://kalshi.example';
const seriesAt = `${kalshi}/series/KXRAIN`;
const series = {
  ticker: 'KXRAIN',
  category: 'Climate and Weather',
  fee_type: 'quadratic',
  fee_multiplier: 1,
};
const candlesticks = `${kalshi}/series/KXRAIN/markets/KXRAIN-31MAR01-NYC/candlesticks`;

beforeEach(() => {
  asked = [];
  answers = {
    [events]: [{ ...gammaEvent(), markets: [market] }],
    [resolutions]: { data: [resolution] },
    [history]: { history: [{ t: 1_928_966_400, p: 0.4 }] },
    [`${kalshi}/events`]: { events: [kalshiEvent({ markets: [kalshiMarket()] })], cursor: '' },
    [seriesAt]: { series },
    [candlesticks]: { ticker: 'KXRAIN-31MAR01-NYC', candlesticks: [candlestick] },
  };
});

const addresses = {
  polymarket: {
    events: 'https://gamma.example',
    resolutions: 'https://data.example',
    prices: 'https://clob.example',
  },
  kalshi: { events: kalshi, resolutions: kalshi, prices: kalshi },
};

const probe = (venue: ProbedVenue) =>
  probeVenue(venue, addresses[venue], {
    timeoutMs: 1_000,
    now: () => new Date('2031-02-20T12:00:00Z'),
    fetch: async request => {
      const url = new URL(request instanceof Request ? request.url : request);
      asked.push(url.pathname + url.search);
      const answer = answers[url.origin + url.pathname];
      return Response.json(answer ?? {}, { status: answer === undefined ? 404 : 200 });
    },
  });

/** The changes in the objects that a venue sends beside its events and markets. */
async function changesOf(venue: ProbedVenue) {
  const probed = await probe(venue);
  const changes = probed.changes.filter(({ object }) => object !== 'event' && object !== 'market');
  return { broken: isBroken({ ...probed, changes }), changes };
}

describe('a probe of Polymarket', () => {
  test('compares events, markets, what the oracle says of them and what one traded at, by three requests', async () => {
    expect(await probe('polymarket')).toMatchObject({ events: 1, markets: 1, resolutions: 1, prices: 1 });
    expect(asked).toEqual([
      '/events?closed=false&order=volume&ascending=false&limit=5',
      '/v2/resolutions?condition=0x1',
      '/prices-history?market=71&interval=max&fidelity=720',
    ]);
    expect(await changesOf('polymarket')).toEqual({ broken: false, changes: [] });
  });

  test('names a field of a resolution that the venue has renamed: by it nothing would be graded', async () => {
    const { price, ...rest } = resolution;
    answers[resolutions] = { data: [{ ...rest, settled_price: price }] };
    expect(await changesOf('polymarket')).toEqual({
      broken: true,
      changes: [
        { object: 'resolution', kind: 'missing', field: 'price', expected: 'string', found: null, count: 1 },
        {
          object: 'resolution',
          kind: 'unknown',
          field: 'settled_price',
          expected: null,
          found: 'string',
          count: 1,
        },
      ],
    });
  });

  test('names a past price that has become text', async () => {
    answers[history] = { history: [{ t: 1_928_966_400, p: '0.4' }] };
    const { broken, changes } = await changesOf('polymarket');
    expect(broken).toBe(true);
    expect(changes).toMatchObject([{ object: 'price', kind: 'type', field: 'p', found: 'string' }]);
  });

  test('asks for no resolution and no price of markets without a condition and a token', async () => {
    answers[events] = [
      { ...gammaEvent(), markets: [{ ...gammaMarket(), conditionId: null, clobTokenIds: 'x' }] },
    ];
    expect(await probe('polymarket')).toMatchObject({ resolutions: 0, prices: 0 });
    expect(asked).toHaveLength(1);
  });

  test('is not made of a list in another form', async () => {
    answers[resolutions] = { rows: [resolution] };
    await expect(probe('polymarket')).rejects.toThrow(MarketUnavailable);
  });
});

describe('a probe of Kalshi', () => {
  test('compares events, markets, a series and a week of candlesticks, by three requests', async () => {
    expect(await probe('kalshi')).toMatchObject({
      events: 1,
      markets: 1,
      series: 1,
      resolutions: 0,
      prices: 1,
    });
    expect(asked).toEqual([
      '/events?status=open&with_nested_markets=true&limit=5',
      '/series/KXRAIN',
      '/series/KXRAIN/markets/KXRAIN-31MAR01-NYC/candlesticks?start_ts=1928750400&end_ts=1929355200&period_interval=1440',
    ]);
    expect(await changesOf('kalshi')).toEqual({ broken: false, changes: [] });
  });

  test('names a fee that has become text: by it no cost would be computed', async () => {
    answers[seriesAt] = { series: { ...series, fee_multiplier: '1' } };
    expect(await changesOf('kalshi')).toMatchObject({
      broken: true,
      changes: [{ object: 'series', kind: 'type', field: 'fee_multiplier', found: 'string' }],
    });
  });

  test('names a field of a candlestick that was renamed, and one within its price that is a number', async () => {
    const { end_period_ts: end, ...rest } = candlestick;
    answers[candlesticks] = { candlesticks: [{ ...rest, end_ts: end, price: { close_dollars: 41 } }] };
    const { broken, changes } = await changesOf('kalshi');
    expect(broken).toBe(true);
    expect(changes).toMatchObject([
      { kind: 'missing', field: 'end_period_ts' },
      { kind: 'type', field: 'price.close_dollars', expected: 'string', found: 'number' },
      { kind: 'unknown', field: 'end_ts' },
    ]);
  });
});
