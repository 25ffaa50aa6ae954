import { describe, expect, test } from '@jest/globals';
import { foldText } from '../../../council/evidence/fold-text.js';
import { oddsWords } from '../../../council/evidence/odds-words.js';
import { quotesOdds } from '../../../council/evidence/quotes-odds.js';
import { readOf } from './research-fixtures.js';

const url = 'https://apnews.com/a';

describe('a number that traders or a market assign is a price, whatever else the sentence speaks of', () => {
  test.each([
    'Traders give Harris 66 percent before the vote.',
    'Futures show 70 percent for a cut in interest rates.',
    'The market has Canada at 62 percent with minutes left.',
    'The crowd gives 61 percent for a yes vote.',
    'The bond market gives a cut in interest rates 70 percent.',
    'Traders see the majority at .58.',
    'Traders give it two-to-one that the bill passes.',
    'The street assigns a two-thirds chance to a cut in rates.',
    'Traders think the vote is a coin flip.',
    'Harris is given 66 percent by traders before the vote.',
    'According to futures, a cut in interest rates is 70 percent certain.',
    'Händler beziffern die Chance auf einen Wahlsieg mit drei zu eins.',
    'Die Börse preist eine Zinssenkung zu 80 Prozent ein.',
    'Les traders donnent 66 pour cent à Harris avant le vote.',
    'Los operadores dan tres a uno a una bajada de la tasa.',
    'Трейдеры дают Харрис 66 процентов перед выборами.',
    '交易员在投票前给哈里斯66%。',
  ])('%s', text => {
    expect(readOf([{ text, url }])).toMatchObject({ items: [], removed: { odds_statements: 1 } });
  });
});

describe('a number that measures something is no price', () => {
  test.each([
    'Traders give the challenger 66 percent of the vote.',
    'Investors see growth of 2.1 percent.',
    'Investors expect inflation to fall to 2.4 percent.',
    'Investors have lost 30 percent.',
    'The market had its worst day since April, falling 3.4 percent.',
    'Futures show oil at 78.62 dollars a barrel.',
    'Investors have pulled 2.4 billion dollars from the fund.',
    'Anleger sehen Renditen von 2,6 Prozent.',
    'La bolsa de Madrid ganó un 0,4 % antes de la votación.',
    '交易员抛售股票,指数下跌2.1%。',
  ])('%s', text => {
    expect(readOf([{ text, url }]).items).toMatchObject([{ text }]);
  });
});

describe('a statement of bettors, payouts or a contract is out without a word of a market', () => {
  test.each([
    'YES is trading at 62, NO at 39.',
    'Yes at 62, no at 39.',
    'Smart money is on the incumbent.',
    'Online gamblers are convinced the bill will pass.',
    'Betting slips overwhelmingly back the challenger.',
    'A win for Canada pays $1.60 for every dollar.',
    'A dollar on Harris gets you $1.60 back.',
    'Canada shortened from 2.1 to 1.7 after the vote.',
    'Canada has been cut from 2/1 into 6/4.',
    'You can get 7/1 on a draw.',
  ])('%s', text => {
    expect(readOf([{ text, url }]).items).toEqual([]);
  });

  test.each([
    'The exit poll has Yes at 52 and No at 41.',
    'Women earn 84 cents for every dollar that men earn.',
    'The workweek was shortened from 40 to 37.5 hours.',
    'The current drifted from 2.1 to 3.4 knots.',
  ])('but not: %s', text => {
    expect(readOf([{ text, url }]).items).toHaveLength(1);
  });
});

test('a sentence that goes on about traders is theirs', () => {
  expect(quotesOdds('Traders disagree. They give Canada 62 percent before the vote.')).toBe(true);
  expect(quotesOdds('Canada is ahead. They have 62 percent of the vote.')).toBe(false);
});

test('no word of a list differs from its folded form, in which it would never be found', () => {
  const wordsOf = (list: unknown): string[] =>
    typeof list === 'string' ? [list] : Object.values(list as object).flatMap(wordsOf);
  const words = wordsOf(oddsWords);
  expect(words.length).toBeGreaterThan(2_500);
  expect(words.filter(word => foldText(word).trim() !== word)).toEqual([]);
});
