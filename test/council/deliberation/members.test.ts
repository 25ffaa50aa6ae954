import { expect, test } from '@jest/globals';
import {
  chairmen,
  dropoutKinds,
  dropoutText,
  hasQuorum,
  providerFailures,
} from '../../../council/deliberation/members.js';

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

test('every model lost is named with its first failure, in our own words', () => {
  expect(
    providerFailures([
      { model: 'grok', stage: 'synthesis', kind: 'refused' },
      { model: 'grok', stage: 'cross_review', kind: 'timed_out', waitedSeconds: 40 },
      { model: 'claude', stage: 'opinions', kind: 'rate_limited' },
    ]),
  ).toEqual({ claude: 'rate limited at opinions', grok: 'timed out after 40 s at cross-review' });
});

test('nobody lost, nobody named', () => {
  expect(providerFailures([])).toEqual({});
});

test('two valid opinions make a council, one does not', () => {
  expect(hasQuorum(['gpt', 'grok'])).toBe(true);
  expect(hasQuorum(['gpt'])).toBe(false);
  expect(hasQuorum([])).toBe(false);
});
