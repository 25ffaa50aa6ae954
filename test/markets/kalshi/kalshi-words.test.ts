import { expect, test } from '@jest/globals';
import { kalshiMarketSchema } from '../../../markets/kalshi/kalshi-schema.js';
import { contradictsItself, kalshiWord } from '../../../markets/kalshi/kalshi-words.js';
import { kalshiMarket, settledMarket } from './kalshi-fixtures.js';

const wordOf = (raw: unknown) => kalshiWord(kalshiMarketSchema.parse(raw));

test.each([
  ['yes', '1.0000', 'yes', 1],
  ['no', '0.0000', 'no', 0],
  ['scalar', '0.5000', 'fifty_fifty', 0.5],
  ['scalar', '0.2400', 'void', 0.24],
  ['scalar', '0.7200', 'void', 0.72],
  ['scalar', '1.0000', 'void', 1],
])('a finalized market with result %p that paid %s is %s', (result, paid, resolution, settlementValue) => {
  expect(wordOf(settledMarket(result, paid))).toEqual({
    resolution,
    status: 'finalized',
    finalAt: '2031-03-01T17:37:19.498Z',
    decidedBy: 'exchange',
    wasDisputed: false,
    settlementValue,
    rulesUpdated: false,
    transactionHash: null,
  });
});

test.each([
  ['yes', '0.0000', 0],
  ['yes', '0.5000', 0.5],
  ['no', '1.0000', 1],
  ['', '1.0000', 1],
  ['void', '0.0000', 0],
])('a finalized market with result %p that paid %s contradicts itself and is void', (result, paid, value) => {
  const raw = settledMarket(result, paid);
  expect(contradictsItself(kalshiMarketSchema.parse(raw))).toBe(true);
  expect(wordOf(raw)).toMatchObject({ resolution: 'void', settlementValue: value });
});

test('a market that is not final yet contradicts nothing', () => {
  const early = settledMarket('yes', '0.0000', { status: 'determined' });
  expect(contradictsItself(kalshiMarketSchema.parse(early))).toBe(false);
});

test('a result without a value decides, and a scalar result without one does not', () => {
  const settled = (result: string) => wordOf(settledMarket(result, '', { settlement_value_dollars: null }));
  expect([settled('yes').resolution, settled('yes').settlementValue]).toEqual(['yes', 1]);
  expect([settled('scalar').resolution, settled('scalar').settlementValue]).toEqual(['void', null]);
});

test.each(['initialized', 'active', 'inactive', 'closed', 'determined', 'amended', 'something_new'])(
  'a market that is %s has no final word, whatever its result',
  status => {
    expect(wordOf(settledMarket('yes', '1.0000', { status }))).toMatchObject({
      resolution: 'unresolved',
      status,
      finalAt: null,
      decidedBy: null,
      settlementValue: null,
    });
  },
);

test('a disputed market is disputed and not final', () => {
  expect(wordOf(kalshiMarket({ status: 'disputed', result: 'yes' }))).toMatchObject({
    resolution: 'disputed',
    wasDisputed: true,
    decidedBy: null,
  });
});
