import { expect, test } from '@jest/globals';
import { orderedAs } from '../../council/ordered-as.js';

test('entries stand in the order of the question, with their numbers untouched', () => {
  const given = [
    { outcome: 'No', probability: 39.7 },
    { outcome: 'Yes', probability: 61 },
  ];
  expect(orderedAs(['Yes', 'No'], given)).toEqual([given[1], given[0]]);
});
