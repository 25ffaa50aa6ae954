import { expect, test } from '@jest/globals';
import { quotesOdds } from '../../../council/evidence/quotes-odds.js';
import clean from './clean-sentences.json' with { type: 'json' };
import odds from './odds-sentences.json' with { type: 'json' };
import prices from './price-phrases.json' with { type: 'json' };

const lostMax = 3;

test('every sentence that quotes odds is out, in every language', () => {
  const sentences = Object.values(odds).flat();
  expect(sentences.length).toBeGreaterThanOrEqual(150);
  expect(sentences.filter(sentence => !quotesOdds(sentence))).toEqual([]);
});

test('at most three of the sentences on polls, rates, scores and shares are lost', () => {
  const sentences = Object.values(clean).flat();
  expect(sentences.length).toBeGreaterThanOrEqual(150);
  const lost = sentences.filter(quotesOdds);
  expect(lost.length <= lostMax ? [] : lost).toEqual([]);
});

test('a consensus word beside a price is out, in every notation', () => {
  const planted = prices.phrases.flatMap(phrase => prices.notations.map(price => `${phrase} ${price}`));
  expect(planted.filter(sentence => !quotesOdds(sentence))).toEqual([]);
  expect(planted.filter(sentence => !quotesOdds(`On Sunday, ${sentence} in the end.`))).toEqual([]);
});
