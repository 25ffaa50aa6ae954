import { expect, test } from '@jest/globals';
import { aggregateRanking } from '../../../council/conclusion/agreement.js';
import type { CouncilModel } from '../../../council/models.js';
import { review } from '../fixtures.js';

const all: CouncilModel[] = ['claude', 'gpt', 'gemini', 'grok'];
const ballots = (given: Partial<Record<CouncilModel, CouncilModel[]>>) =>
  Object.fromEntries(Object.entries(given).map(([model, ranking]) => [model, review(ranking, {})]));
const order = (members: CouncilModel[], given: Partial<Record<CouncilModel, CouncilModel[]>>) =>
  aggregateRanking(members, ballots(given)).map(({ model }) => model);

test('scores are normalised by the length of each ballot', () => {
  const ranking = aggregateRanking(
    all,
    ballots({
      claude: ['gpt', 'gemini', 'grok'],
      gpt: ['claude', 'gemini', 'grok'],
      gemini: ['claude', 'gpt', 'grok'],
      grok: ['gpt', 'claude', 'gemini'],
    }),
  );
  expect(ranking).toEqual([
    { model: 'claude', rank: 1, score: 0.8333, ballots: 3 },
    { model: 'gpt', rank: 2, score: 0.8333, ballots: 3 },
    { model: 'gemini', rank: 3, score: 0.3333, ballots: 3 },
    { model: 'grok', rank: 4, score: 0, ballots: 3 },
  ]);
});

test('ties are broken by pairwise wins, then by id', () => {
  // gpt and gemini both score 0.5; grok and claude put gpt before gemini, and no ballot does the reverse.
  expect(
    order(all, {
      grok: ['gpt', 'claude', 'gemini'],
      gpt: ['gemini', 'claude', 'grok'],
      gemini: ['claude', 'grok', 'gpt'],
    }),
  ).toEqual(['claude', 'gpt', 'gemini', 'grok']);
  expect(order(['gpt', 'grok'], { gpt: ['grok'], grok: ['gpt'] })).toEqual(['gpt', 'grok']);
});

test('a ballot of one member gives ½', () => {
  expect(aggregateRanking(['gpt', 'grok'], ballots({ gpt: ['grok'] }))).toEqual([
    { model: 'grok', rank: 1, score: 0.5, ballots: 1 },
    { model: 'gpt', rank: 2, score: 0, ballots: 0 },
  ]);
});

test('members on no ballot come after a member that is last on every ballot', () => {
  expect(order(all, { claude: ['gpt', 'gemini', 'grok'] })).toEqual(['gpt', 'gemini', 'grok', 'claude']);
});

test.each<[string, Partial<Record<CouncilModel, CouncilModel[]>>]>([
  ['ranks its author', { gpt: ['gpt', 'claude', 'grok'] }],
  ['ranks one member twice', { gpt: ['grok', 'grok', 'claude'] }],
  ['ranks a model without an opinion', { gpt: ['gemini', 'grok'] }],
  ['is empty', { gpt: [] }],
])('a ballot that %s does not count', (_, given) => {
  const ranking = aggregateRanking(['claude', 'gpt', 'grok'], ballots(given));
  expect(ranking.every(({ score, ballots }) => score === 0 && ballots === 0)).toBe(true);
});

test('the input order of members and ballots changes nothing', () => {
  const given = { grok: ['gpt', 'claude', 'gemini'], gpt: ['gemini', 'claude', 'grok'] } satisfies Partial<
    Record<CouncilModel, CouncilModel[]>
  >;
  expect(order(all.toReversed(), given)).toEqual(order(all, given));
});
