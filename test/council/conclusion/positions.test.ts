import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positions } from '../../../council/conclusion/agreement.js';
import { consensus, memberForecasts } from '../../../council/conclusion/consensus.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { councilModels } from '../../../council/models.js';
import { event, opinion, priced, review } from '../fixtures.js';

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

test('a member with another favourite dissents at any distance', () => {
  const result = positionsOf(cup, {
    claude: opinion({ Ada: 42, Bela: 40, Chen: 18 }),
    gpt: opinion({ Ada: 42, Bela: 40, Chen: 18 }),
    grok: opinion({ Ada: 40, Bela: 41, Chen: 19 }),
  });
  expect(result.map(({ model, dissents }) => [model, dissents])).toEqual([
    ['claude', false],
    ['gpt', false],
    ['grok', true],
  ]);
  expect(result[2]).toMatchObject({ most_likely_outcome: 'Bela', most_likely_probability: 41 });
});

test('a member with the same favourite dissents from 15 points on', () => {
  const result = positionsOf(cup, {
    claude: opinion({ Ada: 45, Bela: 35, Chen: 20 }),
    gpt: opinion({ Ada: 45, Bela: 35, Chen: 20 }),
    gemini: opinion({ Ada: 45, Bela: 35, Chen: 20 }),
    grok: opinion({ Ada: 85, Bela: 10, Chen: 5 }),
  });
  expect(result.map(({ dissents }) => dissents)).toEqual([false, false, false, true]);
  expect(result[3]?.distance_points).toBeGreaterThan(15);
});

test('movement is measured in points and is 0 without a review', () => {
  const first = { Ada: 60, Bela: 30, Chen: 10 };
  const result = positionsOf(
    cup,
    { claude: opinion(first), gpt: opinion(first) },
    { claude: review(['gpt'], { Ada: 50, Bela: 35, Chen: 15 }) },
  );
  expect(result.map(({ moved_points: moved }) => moved)).toEqual([10, 0]);
});

test('on independent markets the distance is the widest gap, and favourites do not matter', () => {
  const result = positionsOf(ladder, {
    claude: opinion({ 'Above 1': 60, 'Above 2': 58 }),
    gpt: opinion({ 'Above 1': 58, 'Above 2': 60 }),
  });
  expect(result.map(({ dissents }) => dissents)).toEqual([false, false]);
  const apart = positionsOf(ladder, {
    claude: opinion({ 'Above 1': 90, 'Above 2': 20 }),
    gpt: opinion({ 'Above 1': 30, 'Above 2': 20 }),
  });
  expect(apart.map(({ dissents }) => dissents)).toEqual([true, true]);
});

test('a unanimous council has no dissent and no distance', () => {
  const shares = fc.tuple(fc.integer({ min: 1, max: 49 }), fc.integer({ min: 1, max: 49 }));
  fc.assert(
    fc.property(shares, ([ada, bela]) => {
      const percents = { Ada: ada, Bela: bela, Chen: 100 - ada - bela };
      const same = positionsOf(
        cup,
        Object.fromEntries(councilModels.map(model => [model, opinion(percents)])),
      );
      expect(same.some(({ dissents }) => dissents)).toBe(false);
      for (const { distance_points: distance } of same) expect(distance).toBe(0);
    }),
  );
});
