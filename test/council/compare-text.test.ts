import { expect, test } from '@jest/globals';
import { compareText } from '../../council/compare-text.js';

test('text is ordered by code unit, whatever the locale', () => {
  expect(['é', 'b', 'B', 'a', 'a'].sort(compareText)).toEqual(['B', 'a', 'a', 'b', 'é']);
});
