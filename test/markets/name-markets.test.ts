import { expect, test } from '@jest/globals';
import { array, assert, constantFrom, option, property, record } from 'fast-check';
import { nameMarkets } from '../../markets/name-markets.js';

test('a market is called by its short title, else its question', () => {
  expect(nameMarkets([market('1', 'Canada'), market('2', null, 'Will it be a draw?')])).toEqual([
    'Canada',
    'Will it be a draw?',
  ]);
});

test('the only market of an event is called by its question', () => {
  expect(nameMarkets([market('1', 'December 31', 'Will it snow in 2031?')])).toEqual([
    'Will it snow in 2031?',
  ]);
});

test('markets of the same short title are called by their questions, the others keep theirs', () => {
  const markets = [
    market('1', 'Smith', 'A. Smith?'),
    market('2', 'smith', 'B. Smith?'),
    market('3', 'Jones', 'J?'),
  ];
  expect(nameMarkets(markets)).toEqual(['A. Smith?', 'B. Smith?', 'Jones']);
});

test('markets of the same question are called by their slugs', () => {
  expect(nameMarkets([market('1', 'X', 'Q?', 'one'), market('2', 'X', 'Q?', 'two')])).toEqual(['one', 'two']);
});

test('no two markets of different ids ever share a name, whatever the market calls them', () => {
  const word = option(constantFrom('a', 'A', 'b', 'id-0', 'ID-1'), { nil: null });
  const named = record({ groupItemTitle: word, question: word, slug: word });
  assert(
    property(array(named, { maxLength: 12 }), entries => {
      const markets = entries.map((entry, index) => ({ id: `id-${index}`, ...entry }));
      const names = nameMarkets(markets).map(name => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

function market(id: string, groupItemTitle: string | null, question = `${id}?`, slug = `slug-${id}`) {
  return { id, groupItemTitle, question, slug };
}
