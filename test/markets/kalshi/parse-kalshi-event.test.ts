import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { kalshiSeriesSchema } from '../../../markets/kalshi/kalshi-schema.js';
import { parseKalshiEvent } from '../../../markets/kalshi/parse-kalshi-event.js';
import { kalshiEvent, kalshiMarket, kalshiSeries, settledMarket } from './kalshi-fixtures.js';

const series = (more = {}) => kalshiSeriesSchema.parse(kalshiSeries(more));

function read(event: Record<string, unknown>, of: ReturnType<typeof series> | null = series()) {
  const parsed = parseKalshiEvent(kalshiEvent(event), of);
  if (parsed === null) throw new Error('The event could not be read.');
  return parsed;
}

function firstOf(market: Record<string, unknown>) {
  return read({ markets: [kalshiMarket(market)] }).markets[0];
}

test('an event with one market is named by its title and has the fields of the venue', () => {
  const title = 'Where does it rain? – On Mar 1, 2031';
  expect(read({})).toMatchObject({
    eventId: 'kalshi:KXRAIN-31MAR01',
    slug: null,
    source: 'kalshi',
    title,
    category: 'Climate and Weather',
    closesAt: '2031-03-01T12:00:00.000Z',
    openedAt: '2031-02-01T15:00:00.000Z',
    status: 'open',
    exclusive: false,
    canGrow: false,
    resolutionSource: 'https://gauge.example/rain',
    volume: 1200.5,
    url: 'https://kalshi.com/markets/kxrain',
  });
  expect(read({}).markets).toEqual([
    {
      marketId: 'KXRAIN-31MAR01-NYC',
      name: title,
      question: title,
      slug: 'KXRAIN-31MAR01-NYC',
      sides: ['New York', 'Not New York'],
      status: 'open',
      placeholder: false,
      other: false,
      rules: 'If it rains in New York, then the market resolves to Yes.\n\nSnow is not rain.',
      closesAt: '2031-03-15T12:00:00.000Z',
      openedAt: '2031-02-01T15:00:00.000Z',
      resolutionSource: null,
      expectedAt: '2031-03-01T12:00:00.000Z',
      latestAt: '2031-03-20T12:00:00.000Z',
      earlyClose: 'This market will close after the gauge is read.',
      bestBid: 0.4,
      bestAsk: 0.425,
      lastTrade: 0.41,
      volume: 1200.5,
      takerFee: { rate: 0.07, exponent: 1, roundedUpToUsd: 0.0001 },
      resolution: 'unresolved',
    },
  ]);
});

test.each([
  ['a bid of 0', { yes_bid_dollars: '0.0000', yes_bid_size_fp: '0.00' }, 'bestBid'],
  ['an ask of 1', { yes_ask_dollars: '1.0000', yes_ask_size_fp: '0.00' }, 'bestAsk'],
  ['an ask without contracts', { yes_ask_size_fp: '0.00' }, 'bestAsk'],
  ['a last price of 0', { last_price_dollars: '0.0000' }, 'lastTrade'],
  ['the last price of a closed market', { status: 'closed' }, 'lastTrade'],
])('%s is no price', (_, market, field) => {
  expect(firstOf(market)).toHaveProperty(field, null);
});

test('sides without a name are Yes and No', () => {
  expect(firstOf({ yes_sub_title: '' })?.sides).toEqual(['Yes', 'No']);
  expect(firstOf({ yes_sub_title: 'Yes' })?.sides).toEqual(['Yes', 'No']);
});

test('only an active market is open; one that may vanish or has not begun is a placeholder', () => {
  expect(firstOf({ is_provisional: true })).toMatchObject({ placeholder: true, provisional: true });
  expect(firstOf({ status: 'initialized' })).toMatchObject({ placeholder: true, status: 'closed' });
  for (const status of ['inactive', 'closed', 'determined', 'disputed', 'amended', 'finalized']) {
    expect(firstOf({ status })).toMatchObject({ placeholder: false, status: 'closed' });
  }
});

test('what an event waits for is its occurrence, else the expected end, else the end of trading', () => {
  expect(firstOf({ occurrence_datetime: null })?.expectedAt).toBe('2031-03-02T12:00:00.000Z');
  const neither = { occurrence_datetime: null, expected_expiration_time: null };
  expect(firstOf(neither)?.expectedAt).toBe('2031-03-15T12:00:00.000Z');
});

test('two markets of one name get their tickers, and a second line that repeats the title is left out', () => {
  const markets = ['A', 'B'].map(ticker => kalshiMarket({ ticker }));
  const event = read({ sub_title: 'where does it RAIN?', markets });
  expect(event.title).toBe('Where does it rain?');
  expect(event.markets.map(({ name }) => name)).toEqual(['New York (A)', 'New York (B)']);
});

test('rules that differ only by name describe the event, and others stand with each market only', () => {
  const market = (city: string, rules: string) =>
    kalshiMarket({ ticker: city, yes_sub_title: city, rules_primary: rules });
  const same = [market('Rome', 'Rain in Rome.'), market('Oslo', 'Rain in Oslo.')];
  expect(read({ markets: same }).description).toBe('Rain in Rome.\n\nSnow is not rain.');
  const others = [market('Rome', 'Rain in Rome.'), market('Oslo', 'Snow in Oslo.')];
  expect(read({ markets: others })).toMatchObject({ description: '', markets: [{}, { name: 'Oslo' }] });
});

test.each([
  ['the multiplier of the series', { fee_multiplier: 0.5 }, {}, 0.035],
  ['no fee', { fee_multiplier: 0 }, {}, 0],
  ['the override of the event', { fee_type: 'flat' }, { fee_type_override: 'quadratic' }, 0.07],
  ['the multiplier of the event', {}, { fee_multiplier_override: 2 }, 0.14],
  ['maker fees aside', { fee_type: 'quadratic_with_maker_fees' }, {}, 0.07],
])('a taker pays by %s', (_, seriesFields, event, rate) => {
  expect(read(event, series(seriesFields)).markets[0]?.takerFee?.rate).toBe(rate);
});

test('a fee of an unknown kind, a flat one, and that of an unknown series cannot be computed', () => {
  expect(read({}, series({ fee_type: 'flat' })).markets[0]?.takerFee).toBeNull();
  expect(read({ fee_type_override: 'cubic' }).markets[0]?.takerFee).toBeNull();
  expect(read({ fee_type_override: 'quadratic' }, null).markets[0]?.takerFee).toBeNull();
  expect(read({}, null).category).toBe('Climate');
});

test('all sources are listed by name, also where there is one', () => {
  const one = [{ name: 'The gauge', url: 'https://gauge.example/rain' }];
  expect(read({ settlement_sources: one }).settlementSources).toEqual(one);
  const settlement_sources = [
    { name: 'A', url: 'https://a.example' },
    { name: 'B', url: null },
  ];
  expect(read({ settlement_sources }).settlementSources).toEqual(settlement_sources);
  expect(read({ settlement_sources: null })).toMatchObject({ resolutionSource: null });
  expect(read({ settlement_sources: null })).not.toHaveProperty('settlementSources');
});

test('an exclusive event can have another winner, unless its strikes tile the line', () => {
  const bucket = (
    ticker: string,
    strike_type: string,
    floor_strike: number | null,
    cap_strike: number | null,
  ) => kalshiMarket({ ticker, yes_sub_title: ticker, strike_type, floor_strike, cap_strike });
  const tiles = [
    bucket('A', 'less', null, 60),
    bucket('B', 'between', 60, 62),
    bucket('C', 'greater', 62, null),
  ];
  const event = read({ mutually_exclusive: true, markets: tiles });
  expect([event.exclusive, event.canGrow, outcomeSet(event).hasAnyOther]).toEqual([true, false, false]);
  expect(event.markets[1]?.strike).toEqual({ kind: 'between', floor: 60, cap: 62 });
  const gap = read({ mutually_exclusive: true, markets: tiles.slice(1) });
  expect([gap.canGrow, outcomeSet(gap).hasAnyOther]).toEqual([true, true]);
  const wholeDegrees = [
    bucket('A', 'less', null, 60),
    bucket('B', 'between', 60, 61),
    bucket('C', 'between', 62, 63),
    bucket('D', 'greater', 63, null),
  ];
  const whole = read({ mutually_exclusive: true, markets: wholeDegrees });
  expect([whole.canGrow, outcomeSet(whole).hasAnyOther]).toEqual([true, true]);
});

test('the loser of a settled event has the same expiration value and is no', () => {
  const expiration_value = 'New York';
  const markets = [
    settledMarket('yes', '1.0000', { expiration_value }),
    settledMarket('no', '0.0000', { ticker: 'B', yes_sub_title: 'Boston', expiration_value }),
  ];
  const event = read({ mutually_exclusive: true, markets });
  expect(event.status).toBe('closed');
  expect(event.markets.map(({ resolution, bestAsk }) => [resolution, bestAsk])).toEqual([
    ['yes', null],
    ['no', null],
  ]);
});

test('what is no event, or has a market that cannot be read, is null', () => {
  expect(parseKalshiEvent({ title: 'x' }, null)).toBeNull();
  expect(
    parseKalshiEvent(kalshiEvent({ markets: [kalshiMarket({ yes_bid_dollars: 40 })] }), null),
  ).toBeNull();
});

const ladderFile = fileURLToPath(
  new URL('../../../../shared/data/kalshi/ladder.KXAAAGASM-26JUL31.csv', import.meta.url),
);

(existsSync(ladderFile) ? test : test.skip)(
  'a real ladder is independent and monotone, and an empty side of its book is no price',
  () => {
    const rows = readFileSync(ladderFile, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(row => row.split(','));
    const usd = (cents = '') => (Number(cents) / 100).toFixed(4);
    const markets = rows.map(([name = '', ticker, , ask, bid = '', , noBid = '', last]) =>
      kalshiMarket({
        ticker,
        yes_sub_title: name,
        strike_type: 'greater',
        floor_strike: Number(name.replace('Above ', '')),
        yes_ask_dollars: usd(ask),
        yes_ask_size_fp: noBid === '' ? '0.00' : '10.00',
        yes_bid_dollars: usd(bid),
        yes_bid_size_fp: bid === '' ? '0.00' : '10.00',
        last_price_dollars: usd(last),
      }),
    );
    const event = read({ event_ticker: 'KXAAAGASM-26JUL31', markets });
    expect([event.exclusive, event.canGrow, event.markets.length]).toEqual([false, false, 15]);
    expect(event.markets.slice(0, 2).map(({ bestBid, bestAsk }) => [bestBid, bestAsk])).toEqual([
      [0.99, null],
      [0.98, null],
    ]);
    expect(event.markets.slice(-4).map(({ bestBid }) => bestBid)).toEqual([null, null, null, null]);
    const asks = event.markets.flatMap(({ bestBid, bestAsk }) => (bestBid === null ? [] : (bestAsk ?? [])));
    expect(asks).toEqual(asks.toSorted((a, b) => b - a));
    const { hasAnyOther, ladders } = outcomeSet(event);
    expect([hasAnyOther, ladders.length, ladders[0]?.length]).toEqual([false, 1, 15]);
    expect(event.markets[4]?.strike).toEqual({ kind: 'above', floor: 4.08, cap: null });
  },
);
