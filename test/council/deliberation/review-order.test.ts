import { expect, test } from '@jest/globals';
import { reviewLabels, reviewOrder } from '../../../council/deliberation/review-order.js';
import { councilModels } from '../../../council/models.js';

test('answers are labelled A, B, C', () => {
  expect(reviewLabels(['grok', 'gpt', 'claude'])).toEqual(['A', 'B', 'C']);
});

const seeds = Array.from({ length: 200 }, (_, i) => `seed-${i}`);

test('a reviewer sees every other answer once and never its own', () => {
  for (const seed of seeds)
    for (const reviewer of councilModels) {
      const order = reviewOrder(seed, reviewer, councilModels);
      expect([...order].sort()).toEqual(councilModels.filter(model => model !== reviewer).sort());
    }
});

test('the order depends only on seed and reviewer', () => {
  expect(reviewOrder('s', 'gpt', ['grok', 'claude', 'gemini'])).toEqual(
    reviewOrder('s', 'gpt', ['gemini', 'grok', 'claude']),
  );
});

test('each reviewer has a different order', () => {
  const placesOfGrok = seeds.map(seed =>
    (['claude', 'gpt', 'gemini'] as const).map(reviewer =>
      reviewOrder(seed, reviewer, councilModels).indexOf('grok'),
    ),
  );
  expect(placesOfGrok.some(places => new Set(places).size > 1)).toBe(true);
});

test('the chairman sees all members', () => {
  expect(reviewOrder('s', 'synthesis', councilModels)).toHaveLength(4);
});

test('models without an opinion are not shown', () => {
  expect(reviewOrder('s', 'gpt', ['gpt', 'grok'])).toEqual(['grok']);
});
