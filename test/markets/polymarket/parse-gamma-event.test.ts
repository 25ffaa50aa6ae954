import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, option, property, record } from 'fast-check';
import type { Market, MarketEvent } from '../../../council/event.js';
import { nameMarkets } from '../../../markets/name-markets.js';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

const named = (id: string, groupItemTitle: string | null, question = `${id}?`, slug = `slug-${id}`) => ({
  id,
  groupItemTitle,
  question,
  slug,
});

describe('a market is named', () => {
  test.each([
    [
      'by its short title, else by its question',
      [named('1', 'Canada'), named('2', null, 'Will it be a draw?')],
      ['Canada', 'Will it be a draw?'],
    ],
    [
      'by its question if it is the only one',
      [named('1', 'December 31', 'Will it snow in 2031?')],
      ['Will it snow in 2031?'],
    ],
    [
      'by its question if another has the same short title',
      [named('1', 'Smith', 'A. Smith?'), named('2', 'smith', 'B. Smith?'), named('3', 'Jones', 'J?')],
      ['A. Smith?', 'B. Smith?', 'Jones'],
    ],
    [
      'by its slug if another has the same question',
      [named('1', 'X', 'Q?', 'one'), named('2', 'X', 'Q?', 'two')],
      ['one', 'two'],
    ],
  ])('%s', (_, markets, names) => {
    expect(nameMarkets(markets)).toEqual(names);
  });
});

test('markets with different ids never share a name', () => {
  const word = option(constantFrom('a', 'A', 'b', 'id-0', 'ID-1'), { nil: null });
  const entry = record({ groupItemTitle: word, question: word, slug: word });
  assert(
    property(array(entry, { maxLength: 12 }), entries => {
      const markets = entries.map((each, index) => ({ id: `id-${index}`, ...each }));
      const names = nameMarkets(markets).map(name => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

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
    const odd = { volume: {}, endDate: 12, tags: 'none', closed: 'no', description: null };
    const missing = { volume: 1200.5, closesAt: null, category: null, status: 'open' };
    expect(read(gammaEvent(odd))).toMatchObject(missing);
  });

  test('that is augmented can grow, and its slot for any other is no outcome of its own', () => {
    const own = { description: ' By the list. ', endDate: '2031-02-01T00:00:00Z' };
    const resolutionSource = 'https://results.example/final';
    const markets = [
      gammaMarket({ id: '1', groupItemTitle: 'Ada', ...own }),
      gammaMarket({ id: '2', groupItemTitle: 'Other' }),
      gammaMarket({ id: '3', groupItemTitle: 'Anyone else', negRiskOther: true }),
    ];
    const augmented = { negRisk: true, negRiskAugmented: true, resolutionSource, markets };
    expect(read(gammaEvent(augmented))).toMatchObject({
      canGrow: true,
      resolutionSource,
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

  test('is exclusive by its own flag, else by those of all its markets, and never with a single market', () => {
    const two = [gammaMarket({ negRisk: true }), gammaMarket({ id: '2', negRisk: true })];
    const isExclusive = (negRisk: boolean | undefined, markets = two) =>
      read(gammaEvent({ negRisk, markets })).exclusive;
    expect(isExclusive(true)).toBe(true);
    expect(isExclusive(false)).toBe(false);
    expect(isExclusive(undefined)).toBe(true);
    expect(isExclusive(undefined, [...two, gammaMarket({ id: '3' })])).toBe(false);
    expect(isExclusive(true, [gammaMarket()])).toBe(false);
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

const noFee = { takerFee: { rate: 0, exponent: 1 } };
const yesAndNo: Partial<Market> = { sides: ['Yes', 'No'] };

test.each<[string, market: Record<string, unknown>, read: Partial<Market>]>([
  ['a missing bid is not a price of zero', { bestBid: undefined }, { bestBid: null }],
  [
    'a bid of 0 and an ask of 1 are empty sides',
    { bestBid: 0, bestAsk: 1 },
    { bestBid: null, bestAsk: null },
  ],
  ['an empty string is not a price', { bestBid: '', bestAsk: ' ' }, { bestBid: null, bestAsk: null }],
  [
    'numeric strings are numbers',
    { bestBid: '0.12', volumeNum: null, volume: '88.25' },
    { bestBid: 0.12, volume: 88.25 },
  ],
  [
    'a closed market has neither quotes nor a last trade',
    { closed: true, lastTradePrice: 1 },
    { status: 'closed', bestBid: null, bestAsk: null, lastTrade: null },
  ],
  ['a market that never traded has no last trade', { lastTradePrice: 0 }, { lastTrade: null }],
  ['sides keep the names of two teams', { outcomes: '["Foxes", "Owls"]' }, { sides: ['Foxes', 'Owls'] }],
  ['sides are Yes and No if they are missing', { outcomes: undefined }, yesAndNo],
  ['sides are Yes and No for three', { outcomes: '["A", "B", "C"]' }, yesAndNo],
  ['sides are Yes and No for one', { outcomes: '["A"]' }, yesAndNo],
  ['sides are Yes and No for what is no list', { outcomes: 'A,B' }, yesAndNo],
  ['sides are Yes and No for numbers', { outcomes: '[1, 2]' }, yesAndNo],
  [
    'an inactive market is a placeholder, even if it accepts orders',
    { active: false, acceptingOrders: true },
    { placeholder: true },
  ],
  ['a market without the active flag is not a placeholder', { active: undefined }, { placeholder: false }],
  ['the taker fee follows the schedule', {}, { takerFee: { rate: 0.05, exponent: 1 } }],
  [
    'the taker fee may be a text',
    { feeSchedule: { rate: '0.07', exponent: 2 } },
    { takerFee: { rate: 0.07, exponent: 2 } },
  ],
  ['the taker fee is zero if fees are off', { feesEnabled: false }, noFee],
  ['the taker fee is zero if nothing says that they are on', { feesEnabled: undefined }, noFee],
  ['the taker fee is zero without a schedule', { feeSchedule: null }, noFee],
  ['the taker fee is zero with an empty schedule', { feeSchedule: {} }, noFee],
])('%s', (_, market, expected) => {
  expect(read(gammaEvent({ markets: [gammaMarket(market)] })).markets).toMatchObject([expected]);
});

test.each<[string, market: Record<string, unknown>, negRiskAugmented: boolean, placeholder: boolean]>([
  ['is a placeholder if it can be named later', {}, true, true],
  ['is none otherwise', {}, false, false],
  ['is none with a bid', { bestBid: 0.1 }, true, false],
  ['is none with a trade', { volumeNum: 5 }, true, false],
  ['is none with a name', { groupItemTitle: 'Imogen Vale' }, true, false],
])('an active reserved slot %s', (_, market, negRiskAugmented, placeholder) => {
  const noBook = { bestBid: 0, bestAsk: 1, volume: '0', volumeNum: 0, lastTradePrice: 0 };
  const slot = gammaMarket({ groupItemTitle: 'Person X', ...noBook, ...market });
  expect(read(gammaEvent({ negRiskAugmented, markets: [slot] })).markets).toMatchObject([{ placeholder }]);
});

const hidden = '\u001b[2J\u202e\ufe0f\u{e0041}\u0000';

describe('an invisible character', () => {
  test('is removed from what is shown', () => {
    const sides = JSON.stringify([`Y${hidden}`, 'N']);
    const event = read(
      gammaEvent({
        title: `Rain${hidden}\u2028today?`,
        description: `One.\r\nTwo.${hidden}`,
        tags: [{ label: `Weather${hidden}` }],
        markets: [gammaMarket({ question: `Q${hidden}`, outcomes: sides })],
      }),
    );
    expect(event).toMatchObject({
      title: 'Rain[2J today?',
      description: 'One.\nTwo.[2J',
      category: 'Weather[2J',
      markets: [{ name: 'Q[2J', question: 'Q[2J', sides: ['Y[2J', 'N'] }],
    });
  });

  test('in an id or a slug refuses it, because without it the market would be asked for something else', () => {
    expect(parseGammaEvent(gammaEvent({ id: '1\u200b' }))).toBeNull();
    expect(parseGammaEvent(gammaEvent({ title: '\u200b\u001b' }))).toBeNull();
    expect(read(gammaEvent({ slug: 'rain\u202e' })).slug).toBeNull();
    const markets = [gammaMarket({ id: '7\u009b' }), gammaMarket()];
    expect(read(gammaEvent({ markets })).markets).toHaveLength(1);
  });

  test('makes no two names equal that differ in it', () => {
    const markets = ['Canada', 'Can\u200bada', 'Peru'].map((groupItemTitle, index) =>
      gammaMarket({ id: `${index}`, groupItemTitle, question: `Question ${index}` }),
    );
    const names = read(gammaEvent({ markets })).markets.map(({ name }) => name);
    expect(names).toEqual(['Question 0', 'Question 1', 'Peru']);
  });
});

function read(raw: unknown): MarketEvent {
  const event = parseGammaEvent(raw);
  if (event === null) throw new Error('expected an event');
  return event;
}
