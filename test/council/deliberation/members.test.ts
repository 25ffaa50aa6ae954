import { expect, test } from '@jest/globals';
import {
  chairmen,
  dropoutKinds,
  dropoutText,
  hasQuorum,
  providerFailures,
} from '../../../council/deliberation/members.js';

test('members chair in the council’s fixed order', () => {
  expect(chairmen(['grok', 'gemini', 'claude'])).toEqual(['claude', 'gemini', 'grok']);
});

test('a member lost at an earlier stage is asked last', () => {
  const dropouts = [{ model: 'claude', stage: 'cross_review', kind: 'timed_out' }] as const;
  expect(chairmen(['claude', 'gpt'], dropouts)).toEqual(['gpt', 'claude']);
});

test('only members chair', () => {
  expect(chairmen([])).toEqual([]);
});

test('every kind of failure has a distinct text', () => {
  const texts = dropoutKinds.map(kind => dropoutText({ model: 'gpt', stage: 'opinions', kind }));
  expect(new Set(texts).size).toBe(dropoutKinds.length);
  expect(texts.every(text => text.endsWith(' at opinions'))).toBe(true);
});

test('a time-out names its duration if known', () => {
  const dropout = { model: 'gpt', stage: 'synthesis', kind: 'timed_out' } as const;
  expect(dropoutText({ ...dropout, waitedSeconds: 15 })).toBe('timed out after 15 s at synthesis');
  expect(dropoutText(dropout)).toBe('timed out at synthesis');
});

test('every lost model is listed with its first failure', () => {
  expect(
    providerFailures([
      { model: 'grok', stage: 'synthesis', kind: 'refused' },
      { model: 'grok', stage: 'cross_review', kind: 'timed_out', waitedSeconds: 40 },
      { model: 'claude', stage: 'opinions', kind: 'rate_limited' },
    ]),
  ).toEqual({ claude: 'rate limited at opinions', grok: 'timed out after 40 s at cross-review' });
});

test('without dropouts the list is empty', () => {
  expect(providerFailures([])).toEqual({});
});

test('two valid opinions are a quorum, one is not', () => {
  expect(hasQuorum(['gpt', 'grok'])).toBe(true);
  expect(hasQuorum(['gpt'])).toBe(false);
  expect(hasQuorum([])).toBe(false);
});
