import { expect, test } from '@jest/globals';
import { hasQuorum } from '../../council/quorum.js';

test('two valid opinions make a council, one does not', () => {
  expect(hasQuorum(['gpt', 'grok'])).toBe(true);
  expect(hasQuorum(['gpt'])).toBe(false);
  expect(hasQuorum([])).toBe(false);
});
