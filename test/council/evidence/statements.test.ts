import { expect, test } from '@jest/globals';
import { type Citation, visibleResearch } from '../../../council/evidence/research.js';
import { statementsOf } from '../../../council/evidence/statements.js';
import { asOf, harmless } from './research-fixtures.js';

const text = `${harmless} `.repeat(2_300);

test('400 pages that are all cited for the whole text do not repeat the whole text for each page', () => {
  const citations = Array.from({ length: 400 }, (_, index): Citation => {
    const url = `https://news${index}.example.org/a`;
    return { start: index, end: text.length, marks: 'statement', url, title: null, pageAge: null };
  });
  const statements = statementsOf({ text, citations, searches: 1, retrievedAt: asOf });
  const chars = statements.reduce((sum, statement) => sum + statement.text.length, 0);
  expect(chars).toBeLessThanOrEqual(text.length + 400 * 2_000);
  expect(new Set(statements.flatMap(each => each.citations.map(({ url }) => url))).size).toBe(400);
});

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
