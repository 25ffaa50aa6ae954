import { expect, test } from '@jest/globals';
import { reviewLabels } from '../../council/review-labels.js';

test('answers are called A, B, C and nothing that tells who wrote them', () => {
  expect(reviewLabels(['grok', 'gpt', 'claude'])).toEqual(['A', 'B', 'C']);
});
