import { expect, test } from '@jest/globals';
import { reviewLabels, reviewOrder } from '../../../council/deliberation/review-order.js';
import { councilModels } from '../../../council/models.js';

test('answers are called A, B, C and nothing that tells who wrote them', () => {
  expect(reviewLabels(['grok', 'gpt', 'claude'])).toEqual(['A', 'B', 'C']);
});

const seeds = Array.from({ length: 200 }, (_, i) => `seed-${i}`);

test('no reviewer ever sees its own answer, and every other one exactly once', () => {
  for (const seed of seeds)
    for (const reviewer of councilModels) {
      const order = reviewOrder(seed, reviewer, councilModels);
      expect([...order].sort()).toEqual(councilModels.filter(model => model !== reviewer).sort());
    }
});

test('the order follows from seed and reviewer alone, not from who answered first', () => {
  expect(reviewOrder('s', 'gpt', ['grok', 'claude', 'gemini'])).toEqual(
    reviewOrder('s', 'gpt', ['gemini', 'grok', 'claude']),
  );
});

test('each reviewer has an order of its own', () => {
  const placesOfGrok = seeds.map(seed =>
    (['claude', 'gpt', 'gemini'] as const).map(reviewer =>
      reviewOrder(seed, reviewer, councilModels).indexOf('grok'),
    ),
  );
  expect(placesOfGrok.some(places => new Set(places).size > 1)).toBe(true);
});

test('the chairman sees everybody', () => {
  expect(reviewOrder('s', 'synthesis', councilModels)).toHaveLength(4);
});

test('models without an opinion are shown to nobody', () => {
  expect(reviewOrder('s', 'gpt', ['gpt', 'grok'])).toEqual(['grok']);
});
