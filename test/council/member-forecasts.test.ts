import { expect, test } from '@jest/globals';
import { memberForecasts } from '../../council/member-forecasts.js';
import { outcomeSet } from '../../council/outcome-set.js';
import { event, opinion, priced, review } from './fixtures.js';

const set = outcomeSet(event([priced('Will it rain?', 0.4)]));

test('the revised forecast counts, and the original where the review failed', () => {
  const opinions = {
    gpt: opinion({ Yes: 70, No: 30 }),
    claude: opinion({ No: 40, Yes: 60 }, { confidence: 80 }),
  };
  const reviews = { gpt: review(['claude'], { Yes: 65, No: 35 }, { revisedConfidence: 50 }) };
  expect(memberForecasts(set, opinions, reviews)).toEqual([
    { model: 'claude', fractions: [0.6, 0.4], first: [0.6, 0.4], confidence: 80 },
    { model: 'gpt', fractions: [0.65, 0.35], first: [0.7, 0.3], confidence: 50 },
  ]);
});

test('a review by a model without an opinion counts for nothing', () => {
  expect(memberForecasts(set, {}, { gpt: review(['claude'], { Yes: 65, No: 35 }) })).toEqual([]);
});

test('an outcome left out is an error, and never a default number', () => {
  expect(() => memberForecasts(set, { gpt: opinion({ Yes: 100 }) }, {})).toThrow(RangeError);
});
