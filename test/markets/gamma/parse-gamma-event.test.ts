import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, option, property, record } from 'fast-check';
import type { Market, MarketEvent } from '../../../council/event.js';
import { nameMarkets, parseGammaEvent } from '../../../markets/gamma/parse-gamma-event.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

test('a market is named by its short title, else by its question', () => {
  expect(nameMarkets([market('1', 'Canada'), market('2', null, 'Will it be a draw?')])).toEqual([
    'Canada',
    'Will it be a draw?',
  ]);
});

test('the only market of an event is named by its question', () => {
  expect(nameMarkets([market('1', 'December 31', 'Will it snow in 2031?')])).toEqual([
    'Will it snow in 2031?',
  ]);
});

test('markets with the same short title are named by their questions; the others keep their titles', () => {
  const markets = [
    market('1', 'Smith', 'A. Smith?'),
    market('2', 'smith', 'B. Smith?'),
    market('3', 'Jones', 'J?'),
  ];
  expect(nameMarkets(markets)).toEqual(['A. Smith?', 'B. Smith?', 'Jones']);
});

test('markets with the same question are named by their slugs', () => {
  expect(nameMarkets([market('1', 'X', 'Q?', 'one'), market('2', 'X', 'Q?', 'two')])).toEqual(['one', 'two']);
});

test('markets with different ids never share a name', () => {
  const word = option(constantFrom('a', 'A', 'b', 'id-0', 'ID-1'), { nil: null });
  const named = record({ groupItemTitle: word, question: word, slug: word });
  assert(
    property(array(named, { maxLength: 12 }), entries => {
      const markets = entries.map((entry, index) => ({ id: `id-${index}`, ...entry }));
      const names = nameMarkets(markets).map(name => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

function market(id: string, groupItemTitle: string | null, question = `${id}?`, slug = `slug-${id}`) {
  return { id, groupItemTitle, question, slug };
}

describe('an event', () => {
  test('is parsed with its rules, category, closing time and URL', () => {
    expect(parseGammaEvent(gammaEvent())).toMatchObject({
      eventId: '900001',
      source: 'polymarket',
      title: 'Will it rain?',
      description: 'Resolves by the rain gauge.',
      category: 'Weather',
      closesAt: '2031-03-01T12:00:00.000Z',
      status: 'open',
      exclusive: false,
      volume: 1200.5,
      url: 'https://polymarket.com/event/will-it-rain',
    });
  });

  test.each([
    ['nothing', null],
    ['a list', []],
    ['a text', 'event'],
    ['an event without an id', gammaEvent({ id: undefined })],
    ['an event without a title', gammaEvent({ title: '   ' })],
  ])('is null for %s', (_, raw) => {
    expect(parseGammaEvent(raw)).toBeNull();
  });

  test('with only an id and a title is open, without markets, closing time or URL', () => {
    expect(parseGammaEvent({ id: 7, title: 'Bare' })).toEqual({
      slug: null,
      eventId: '7',
      source: 'polymarket',
      title: 'Bare',
      description: '',
      category: null,
      closesAt: null,
      status: 'open',
      exclusive: false,
      canGrow: false,
      resolutionSource: null,
      volume: 0,
      url: null,
      markets: [],
    });
  });

  test('fields of unexpected types are treated as missing and do not invalidate the event', () => {
    const event = read(
      gammaEvent({ volume: {}, endDate: 12, tags: 'none', closed: 'no', description: null }),
    );
    expect(event).toMatchObject({ volume: 1200.5, closesAt: null, category: null, status: 'open' });
  });

  test('that is augmented can grow, and its slot for any other is no outcome of its own', () => {
    const augmented = read(
      gammaEvent({
        negRisk: true,
        negRiskAugmented: true,
        resolutionSource: 'https://results.example/final',
        markets: [
          gammaMarket({
            id: '1',
            groupItemTitle: 'Ada',
            description: ' By the list. ',
            endDate: '2031-02-01T00:00:00Z',
          }),
          gammaMarket({ id: '2', groupItemTitle: 'Other' }),
          gammaMarket({ id: '3', groupItemTitle: 'Anyone else', negRiskOther: true }),
        ],
      }),
    );
    expect(augmented).toMatchObject({
      canGrow: true,
      resolutionSource: 'https://results.example/final',
      markets: [
        { other: false, rules: 'By the list.', closesAt: '2031-02-01T00:00:00.000Z', resolutionSource: null },
        { other: true, rules: null, closesAt: null },
        { other: true },
      ],
    });
    const fixed = read(gammaEvent({ negRisk: true, markets: [gammaMarket({ groupItemTitle: 'Other' })] }));
    expect(fixed).toMatchObject({ canGrow: false, markets: [{ other: false }] });
  });

  test('that is exclusive is closed as soon as one of its markets has resolved YES', () => {
    const markets = [
      gammaMarket({ id: '1', groupItemTitle: 'Ada', closed: true, outcomePrices: '["1", "0"]' }),
      gammaMarket({ id: '2', groupItemTitle: 'Bela' }),
      gammaMarket({ id: '3', groupItemTitle: 'Chen' }),
    ];
    expect(read(gammaEvent({ negRisk: true, markets })).status).toBe('closed');
    expect(read(gammaEvent({ negRisk: false, markets })).status).toBe('open');
  });

  test('without an end date closes with the last of its markets', () => {
    const markets = [
      gammaMarket({ endDate: '2031-01-01T00:00:00Z' }),
      gammaMarket({ id: '2', endDate: '2031-02-01T00:00:00Z' }),
      gammaMarket({ id: '3', endDate: 'soon' }),
    ];
    expect(read(gammaEvent({ endDate: null, markets })).closesAt).toBe('2031-02-01T00:00:00.000Z');
  });

  test('is exclusive by its own flag if it has one', () => {
    const markets = [gammaMarket({ negRisk: true }), gammaMarket({ id: '2', negRisk: true })];
    expect(read(gammaEvent({ negRisk: true, markets })).exclusive).toBe(true);
    expect(read(gammaEvent({ negRisk: false, markets })).exclusive).toBe(false);
    expect(read(gammaEvent({ negRisk: undefined, markets })).exclusive).toBe(true);
    expect(
      read(gammaEvent({ negRisk: undefined, markets: [...markets, gammaMarket({ id: '3' })] })).exclusive,
    ).toBe(false);
  });

  test('with a single market is never exclusive, because that would make it certain', () => {
    expect(read(gammaEvent({ negRisk: true })).exclusive).toBe(false);
  });

  test('is closed if all markets except reserved slots are closed', () => {
    const over = { closed: true, outcomePrices: '["0", "1"]' };
    const slot = gammaMarket({ id: '3', active: false });
    const one = gammaMarket({ id: '2', ...over });
    expect(read(gammaEvent({ markets: [gammaMarket(), one, slot] })).status).toBe('open');
    expect(read(gammaEvent({ markets: [gammaMarket(over), one, slot] })).status).toBe('closed');
    expect(read(gammaEvent({ closed: true })).status).toBe('closed');
  });

  test('a market without an id is omitted without affecting the others', () => {
    const markets = [gammaMarket(), gammaMarket({ id: undefined }), null, { id: '5' }, gammaMarket()];
    expect(read(gammaEvent({ markets })).markets.map(market => market.marketId)).toEqual(['700001']);
  });
});

describe('a price', () => {
  test('a missing bid is not a price of zero', () => {
    expect(onlyMarket({ bestBid: undefined }).bestBid).toBeNull();
  });

  test('a bid of 0 and an ask of 1 are empty sides of the book', () => {
    expect(onlyMarket({ bestBid: 0, bestAsk: 1 })).toMatchObject({ bestBid: null, bestAsk: null });
  });

  test('an empty string is not a price', () => {
    expect(onlyMarket({ bestBid: '', bestAsk: ' ' })).toMatchObject({ bestBid: null, bestAsk: null });
  });

  test('numeric strings are numbers', () => {
    expect(onlyMarket({ bestBid: '0.12', volumeNum: null, volume: '88.25' })).toMatchObject({
      bestBid: 0.12,
      volume: 88.25,
    });
  });

  test('a closed market has neither quotes nor a last trade', () => {
    expect(onlyMarket({ closed: true, lastTradePrice: 1 })).toMatchObject({
      status: 'closed',
      bestBid: null,
      bestAsk: null,
      lastTrade: null,
    });
  });

  test('a market that never traded has no last trade', () => {
    expect(onlyMarket({ lastTradePrice: 0 }).lastTrade).toBeNull();
  });
});

describe('sides', () => {
  test('keep the names of two teams', () => {
    expect(onlyMarket({ outcomes: '["Foxes", "Owls"]' }).sides).toEqual(['Foxes', 'Owls']);
  });

  test.each([undefined, '["A", "B", "C"]', '["A"]', 'A,B', '[1, 2]'])('are Yes and No for %s', outcomes => {
    expect(onlyMarket({ outcomes }).sides).toEqual(['Yes', 'No']);
  });
});

describe('a placeholder', () => {
  const reserved = {
    groupItemTitle: 'Person X',
    bestBid: 0,
    bestAsk: 1,
    volume: '0',
    volumeNum: 0,
    lastTradePrice: 0,
  };

  test('is an inactive market, even if it accepts orders', () => {
    expect(onlyMarket({ active: false, acceptingOrders: true }).placeholder).toBe(true);
  });

  test('is an active reserved slot of an event whose outcomes can be named later', () => {
    expect(onlyMarket(reserved, { negRiskAugmented: true }).placeholder).toBe(true);
    expect(onlyMarket(reserved, { negRiskAugmented: false }).placeholder).toBe(false);
  });

  test('is not a market with a bid, a trade or a name', () => {
    for (const real of [{ bestBid: 0.1 }, { volumeNum: 5 }, { groupItemTitle: 'Imogen Vale' }]) {
      expect(onlyMarket({ ...reserved, ...real }, { negRiskAugmented: true }).placeholder).toBe(false);
    }
  });

  test('a market without the active flag is not a placeholder', () => {
    expect(onlyMarket({ active: undefined }).placeholder).toBe(false);
  });
});

describe('the taker fee', () => {
  test('follows the schedule if fees are enabled', () => {
    expect(onlyMarket({}).takerFee).toEqual({ rate: 0.05, exponent: 1 });
    expect(onlyMarket({ feeSchedule: { rate: '0.07', exponent: 2 } }).takerFee).toEqual({
      rate: 0.07,
      exponent: 2,
    });
  });

  test.each([{ feesEnabled: false }, { feesEnabled: undefined }, { feeSchedule: null }, { feeSchedule: {} }])(
    'is zero with %j',
    market => {
      expect(onlyMarket(market).takerFee).toEqual({ rate: 0, exponent: 1 });
    },
  );
});

function read(raw: unknown): MarketEvent {
  const event = parseGammaEvent(raw);
  if (event === null) throw new Error('expected an event');
  return event;
}

function onlyMarket(market: Record<string, unknown>, event: Record<string, unknown> = {}): Market {
  const [only] = read(gammaEvent({ ...event, markets: [gammaMarket(market)] })).markets;
  if (only === undefined) throw new Error('expected a market');
  return only;
}
