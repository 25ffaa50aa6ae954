import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aggregateRanking, positions } from '../../../council/conclusion/agreement.js';
import { consensus, memberForecasts } from '../../../council/conclusion/consensus.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { event, opinion, priced, review, unanimous } from '../fixtures.js';

const cup = outcomeSet(event([priced('Ada', 0.5), priced('Bela', 0.3), priced('Chen', 0.2)]));
const ladder = outcomeSet(event([priced('Above 1', 0.5), priced('Above 2', 0.3)], { exclusive: false }));

function positionsOf(
  set: typeof cup,
  opinions: Parameters<typeof memberForecasts>[1],
  reviews: Parameters<typeof memberForecasts>[2] = {},
) {
  const forecasts = memberForecasts(set, opinions, reviews);
  return positions(set, consensus(set, forecasts).fractions, forecasts);
}

describe('a member', () => {
  test('with another favourite dissents at any distance', () => {
    const result = positionsOf(cup, {
      ...unanimous(['claude', 'gpt'], { Ada: 42, Bela: 40, Chen: 18 }),
      grok: opinion({ Ada: 40, Bela: 41, Chen: 19 }),
    });
    expect(result).toMatchObject([
      { model: 'claude', dissents: false },
      { model: 'gpt', dissents: false },
      { model: 'grok', dissents: true, most_likely_outcome: 'Bela', most_likely_probability: 41 },
    ]);
  });

  test('with the same favourite dissents from 15 points on', () => {
    const result = positionsOf(cup, {
      ...unanimous(['claude', 'gpt', 'gemini'], { Ada: 45, Bela: 35, Chen: 20 }),
      grok: opinion({ Ada: 85, Bela: 10, Chen: 5 }),
    });
    expect(result.map(({ dissents }) => dissents)).toEqual([false, false, false, true]);
    expect(result[3]?.distance_points).toBeGreaterThan(15);
  });

  test('moved by points, and by 0 without a review', () => {
    const opinions = unanimous(['claude', 'gpt'], { Ada: 60, Bela: 30, Chen: 10 });
    const reviews = { claude: review(['gpt'], { Ada: 50, Bela: 35, Chen: 15 }) };
    expect(positionsOf(cup, opinions, reviews)).toMatchObject([{ moved_points: 10 }, { moved_points: 0 }]);
  });

  test.each([
    ['close by, whatever the favourites', [60, 58], [58, 60], false],
    ['far off on one of them', [90, 20], [30, 20], true],
  ])('on independent markets is as far off as the widest gap: %s', (_, claude, gpt, dissents) => {
    const given = ([one = 0, other = 0]: number[]) => opinion({ 'Above 1': one, 'Above 2': other });
    const result = positionsOf(ladder, { claude: given(claude), gpt: given(gpt) });
    expect(result).toMatchObject([{ dissents }, { dissents }]);
  });
});

test('a unanimous council has no dissent and no distance', () => {
  const shares = fc.tuple(fc.integer({ min: 1, max: 49 }), fc.integer({ min: 1, max: 49 }));
  fc.assert(
    fc.property(shares, ([ada, bela]) => {
      const percents = { Ada: ada, Bela: bela, Chen: 100 - ada - bela };
      for (const position of positionsOf(cup, unanimous(councilModels, percents)))
        expect(position).toMatchObject({ dissents: false, distance_points: 0 });
    }),
  );
});

type Ballots = Partial<Record<CouncilModel, CouncilModel[]>>;

const all = [...councilModels];
const ranked = (members: CouncilModel[], ballots: Ballots) => {
  const reviews = Object.entries(ballots).map(([model, ranking]) => [model, review(ranking, {})]);
  return aggregateRanking(members, Object.fromEntries(reviews));
};
const order = (members: CouncilModel[], ballots: Ballots) =>
  ranked(members, ballots).map(({ model }) => model);

describe('a ranking', () => {
  test('has scores that are normalised by the length of each ballot', () => {
    const ballots: Ballots = {
      claude: ['gpt', 'gemini', 'grok'],
      gpt: ['claude', 'gemini', 'grok'],
      gemini: ['claude', 'gpt', 'grok'],
      grok: ['gpt', 'claude', 'gemini'],
    };
    expect(ranked(all, ballots)).toEqual([
      { model: 'claude', rank: 1, score: 0.8333, ballots: 3 },
      { model: 'gpt', rank: 2, score: 0.8333, ballots: 3 },
      { model: 'gemini', rank: 3, score: 0.3333, ballots: 3 },
      { model: 'grok', rank: 4, score: 0, ballots: 3 },
    ]);
    expect(ranked(['gpt', 'grok'], { gpt: ['grok'] })).toEqual([
      { model: 'grok', rank: 1, score: 0.5, ballots: 1 },
      { model: 'gpt', rank: 2, score: 0, ballots: 0 },
    ]);
  });

  test('breaks ties by pairwise wins, then by id', () => {
    // gpt and gemini both score 0.5; grok and claude put gpt before gemini, and no ballot does the reverse.
    const ballots: Ballots = {
      grok: ['gpt', 'claude', 'gemini'],
      gpt: ['gemini', 'claude', 'grok'],
      gemini: ['claude', 'grok', 'gpt'],
    };
    expect(order(all, ballots)).toEqual(['claude', 'gpt', 'gemini', 'grok']);
    expect(order(['gpt', 'grok'], { gpt: ['grok'], grok: ['gpt'] })).toEqual(['gpt', 'grok']);
  });

  test('puts members on no ballot after one that is last on every ballot', () => {
    expect(order(all, { claude: ['gpt', 'gemini', 'grok'] })).toEqual(['gpt', 'gemini', 'grok', 'claude']);
  });

  test.each<[string, CouncilModel[]]>([
    ['ranks its author', ['gpt', 'claude', 'grok']],
    ['ranks one member twice', ['grok', 'grok', 'claude']],
    ['ranks a model without an opinion', ['gemini', 'grok']],
    ['is empty', []],
  ])('does not count a ballot that %s', (_, gpt) => {
    const ranking = ranked(['claude', 'gpt', 'grok'], { gpt });
    expect(ranking.every(({ score, ballots }) => score === 0 && ballots === 0)).toBe(true);
  });

  test('does not depend on the order of members', () => {
    const ballots: Ballots = { grok: ['gpt', 'claude', 'gemini'], gpt: ['gemini', 'claude', 'grok'] };
    expect(order(all.toReversed(), ballots)).toEqual(order(all, ballots));
  });
});
