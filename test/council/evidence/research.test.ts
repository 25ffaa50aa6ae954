import { expect, test } from '@jest/globals';
import { type Citation, visibleResearch } from '../../../council/evidence/research.js';
import { asOf } from './research-fixtures.js';

test('what a search found loses its invisible characters, and each citation marks the same passage', () => {
  const hidden = '\u200b\ufe0f\u{e0100}\u001b[2J\r\n';
  const passages = ['The jury said so.', 'Alpha may start 🎉.', `Be${hidden}ta too.`];
  const found = passages.map(passage => `${hidden}${passage}`).join(hidden);
  const cited = passages.map((passage, index): Citation => {
    const start = found.indexOf(passage);
    const url = `https://news${index}.example.org/a`;
    const title = `T${hidden}`;
    return { start, end: start + passage.length, marks: 'statement', url, title, pageAge: null };
  });
  const { text: shown, citations } = visibleResearch({
    text: found,
    citations: [...cited, { ...cited[0], start: -1, end: 9_999, pageAge: '\u009bMay' } as Citation],
    searches: 1,
    retrievedAt: asOf,
  });
  expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
  expect(citations.slice(0, 3).map(({ start, end }) => shown.slice(start, end))).toEqual([
    'The jury said so.',
    'Alpha may start 🎉.',
    'Be[2J\n\nta too.',
  ]);
  // What lies outside of the text stays unusable.
  expect(citations[3]).toMatchObject({ start: shown.length, end: shown.length, pageAge: 'May' });
});
