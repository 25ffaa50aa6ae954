import { expect, test } from '@jest/globals';
import { chairmen } from '../../council/chairmen.js';

test('members chair in the council’s fixed order, whatever the order they answered in', () => {
  expect(chairmen(['grok', 'gemini', 'claude'])).toEqual(['claude', 'gemini', 'grok']);
});

test('a member already lost at a stage is asked last', () => {
  const dropouts = [{ model: 'claude', stage: 'cross_review', kind: 'timed_out' }] as const;
  expect(chairmen(['claude', 'gpt'], dropouts)).toEqual(['gpt', 'claude']);
});

test('only members chair', () => {
  expect(chairmen([])).toEqual([]);
});
