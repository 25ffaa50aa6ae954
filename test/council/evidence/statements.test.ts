import { expect, test } from '@jest/globals';
import type { Citation } from '../../../council/evidence/research.js';
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
