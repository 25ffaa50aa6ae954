import { expect, test } from '@jest/globals';
import { parseSynthesis } from '../../../council/answers/stage-parsers.js';

const good = { summary: 'It will.', agreements: ['a'], disagreements: [], key_uncertainties: ['u'] };

test('a synthesis consists of text', () => {
  expect(parseSynthesis(JSON.stringify(good))).toEqual({
    ok: true,
    value: { summary: 'It will.', agreements: ['a'], disagreements: [], keyUncertainties: ['u'] },
  });
});

test('a number that the chairman adds is dropped', () => {
  const parsed = parseSynthesis(
    JSON.stringify({ ...good, probability: 99, market_probabilities: { Yes: 99 } }),
  );
  expect(JSON.stringify(parsed)).not.toContain('99');
  expect(parsed.ok).toBe(true);
});

test.each([
  ['no summary', { ...good, summary: ' ' }],
  ['an endless summary', { ...good, summary: 'x'.repeat(8_001) }],
  ['an empty point', { ...good, agreements: [''] }],
  ['a list left out', { ...good, disagreements: undefined }],
])('%s is rejected', (_, answer) => {
  expect(parseSynthesis(JSON.stringify(answer)).ok).toBe(false);
});
