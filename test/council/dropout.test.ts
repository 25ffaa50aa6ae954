import { expect, test } from '@jest/globals';
import { dropoutKinds, dropoutText } from '../../council/dropout.js';

test('every kind of failure has a text of its own', () => {
  const texts = dropoutKinds.map(kind => dropoutText({ model: 'gpt', stage: 'opinions', kind }));
  expect(new Set(texts).size).toBe(dropoutKinds.length);
  expect(texts.every(text => text.endsWith(' at opinions'))).toBe(true);
});

test('a time-out says how long the model was waited for, where that is known', () => {
  const dropout = { model: 'gpt', stage: 'synthesis', kind: 'timed_out' } as const;
  expect(dropoutText({ ...dropout, waitedSeconds: 15 })).toBe('timed out after 15 s at synthesis');
  expect(dropoutText(dropout)).toBe('timed out at synthesis');
});
