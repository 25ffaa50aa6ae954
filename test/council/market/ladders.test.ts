import { describe, expect, test } from '@jest/globals';
import { laddersOf } from '../../../council/market/ladders.js';
import { market } from '../fixtures.js';

const of = (...questions: string[]) =>
  laddersOf(questions.map(question => market({ name: question.slice(0, 3), question })));
const ofNames = (...names: string[]) =>
  laddersOf(names.map(name => market({ name, question: `${name.length} ${name}` })));

describe('a number gives a ladder, the most probable first', () => {
  test.each<[string, number, number, number, readonly number[]]>([
    ['Will oil be above $N in June 2031?', 80, 60, 70, [1, 2, 0]],
    ['Will she win over N seats?', 10, 20, 30, [0, 1, 2]],
    ['At least N medals for Norway?', 5, 6, 7, [0, 1, 2]],
    ['Price ≥N', 5, 6, 7, [0, 1, 2]],
    ['↑ N', 5, 6, 7, [0, 1, 2]],
    ['N% or more of the vote?', 40, 45, 50, [0, 1, 2]],
    ['N+ goals?', 1, 2, 3, [0, 1, 2]],
    ['Will it be below N°C on June 3?', -5, 0, 5, [2, 1, 0]],
    ['Under N goals?', 1, 2, 3, [2, 1, 0]],
    ['N days or fewer?', 1, 2, 3, [2, 1, 0]],
    ['More than N million users by June 2031?', 1, 2, 3, [0, 1, 2]],
  ])('%s', (text, a, b, c, ladder) => {
    expect(of(...[a, b, c].map(n => text.replace('N', String(n))))).toEqual([ladder]);
  });

  test('with thousands, decimals and suffixes', () => {
    expect(of('BTC above $1.5m?', 'BTC above $900k?', 'BTC above $1,000,000?')).toEqual([[1, 2, 0]]);
  });

  test('read from the names if the questions have none', () => {
    expect(ofNames('↓ $70', '↓ $8', '↑ $9', '↑ $100')).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test('one for each wording and direction', () => {
    expect(of('Above 60?', 'Below 40?', 'Above 70?', 'Below 30?', 'Will it rain?')).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });
});

describe('a date gives a ladder, the latest first', () => {
  test.each([
    ['a day', 'Will it end by March 31, 2031?', 'Will it end by June 30, 2031?'],
    ['a day written differently', 'Will it end before 31 March 2031?', 'Will it end before 1 April 2031?'],
    ['a month', 'Signed by the end of March 2031?', 'Signed by the end of June 2031?'],
    ['a quarter', 'Out by Q1 2031?', 'Out by Q2 2031?'],
    ['an ISO date', 'Out by 2031-03-31?', 'Out by 2031-04-01?'],
    ['a year', 'On Mars before 2031?', 'On Mars before 2041?'],
  ])('%s', (_, early, late) => {
    expect(of(early, late)).toEqual([[1, 0]]);
  });

  test('without a year, which is the one in which the market ends', () => {
    const ends = (question: string, closesAt: string | null) =>
      market({ name: question, question, closesAt });
    const december = ends('Ceasefire by December 31?', '2031-01-01T04:59:00Z');
    const march = ends('Ceasefire by March 31?', '2031-03-31T23:59:00Z');
    expect(laddersOf([december, march])).toEqual([[1, 0]]);
    expect(laddersOf([december, ends('Ceasefire by March 31?', null)])).toEqual([]);
    expect(laddersOf([december, ends('Ceasefire by March 31?', '2031-12-31T00:00:00Z')])).toEqual([]);
  });
});

describe('in doubt there is no ladder:', () => {
  test.each<readonly [string, ...string[]]>([
    ['ranges', 'Between 60 and 70?', 'Between 70 and 80?'],
    ['ranges with one end in common', 'Between 60 and 70?', 'Between 60 and 80?'],
    ['two values that vary', 'Above 60 by March 2031?', 'Above 70 by June 2031?'],
    ['a value without a direction', 'Will the Fed cut by 25 bps?', 'Will the Fed cut by 50 bps?'],
    ['a day on which', 'Released on March 3, 2031?', 'Released on March 4, 2031?'],
    ['a date after which', 'Released after March 3, 2031?', 'Released after March 4, 2031?'],
    ['equal values', 'Above 1,000?', 'Above 1k?'],
    ['other words', 'Gold above 60?', 'Silver above 70?'],
    ['a negation', 'Will it not be above 60?', 'Will it not be above 70?'],
    ['a state that lasts', 'Still mayor by March 2031?', 'Still mayor by June 2031?'],
    ['a day and a month', 'Out by March 2031?', 'Out by March 15, 2031?'],
    ['one question', 'Above 60?'],
    ['ordinals', 'In the top 4th?', 'In the top 5th?'],
    ['no value', 'Will Norway win?', 'Will Spain win?'],
  ])('%s', (_, ...questions) => {
    expect(of(...questions)).toEqual([]);
  });
});
