import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positions } from '../../../council/conclusion/agreement.js';
import { consensus, memberForecasts } from '../../../council/conclusion/consensus.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { councilModels } from '../../../council/models.js';
import { event, opinion, priced, review } from '../fixtures.js';

const cup = outcomeSet(event([priced('Ada', 0.5), priced('Bela', 0.3), priced('Chen', 0.2)]));
const ladder = outcomeSet(event([priced('Above 1', 0.5), priced('Above 2', 0.3)], { exclusive: false }));

function stand(
  set: typeof cup,
  opinions: Parameters<typeof memberForecasts>[1],
  reviews: Parameters<typeof memberForecasts>[2] = {},
) {
  const forecasts = memberForecasts(set, opinions, reviews);
  return positions(set, consensus(set.exclusive, forecasts).fractions, forecasts);
}

test('a member whose favourite is another than the council’s dissents, however close it is', () => {
  const stood = stand(cup, {
    claude: opinion({ Ada: 42, Bela: 40, Chen: 18 }),
    gpt: opinion({ Ada: 42, Bela: 40, Chen: 18 }),
    grok: opinion({ Ada: 40, Bela: 41, Chen: 19 }),
  });
  expect(stood.map(({ model, dissents }) => [model, dissents])).toEqual([
    ['claude', false],
    ['gpt', false],
    ['grok', true],
  ]);
  expect(stood[2]).toMatchObject({ most_likely_outcome: 'Bela', most_likely_probability: 41 });
});

test('a member of the same favourite dissents from 15 points away on', () => {
  const stood = stand(cup, {
    claude: opinion({ Ada: 45, Bela: 35, Chen: 20 }),
    gpt: opinion({ Ada: 45, Bela: 35, Chen: 20 }),
    gemini: opinion({ Ada: 45, Bela: 35, Chen: 20 }),
    grok: opinion({ Ada: 85, Bela: 10, Chen: 5 }),
  });
  expect(stood.map(({ dissents }) => dissents)).toEqual([false, false, false, true]);
  expect(stood[3]?.distance_points).toBeGreaterThan(15);
});

test('how far the review moved a member is told in points; without a review it has not moved', () => {
  const first = { Ada: 60, Bela: 30, Chen: 10 };
  const stood = stand(
    cup,
    { claude: opinion(first), gpt: opinion(first) },
    { claude: review(['gpt'], { Ada: 50, Bela: 35, Chen: 15 }) },
  );
  expect(stood.map(({ moved_points: moved }) => moved)).toEqual([10, 0]);
});

test('independent markets: the widest gap on any of them is the distance, and a favourite means nothing', () => {
  const stood = stand(ladder, {
    claude: opinion({ 'Above 1': 60, 'Above 2': 58 }),
    gpt: opinion({ 'Above 1': 58, 'Above 2': 60 }),
  });
  expect(stood.map(({ dissents }) => dissents)).toEqual([false, false]);
  const apart = stand(ladder, {
    claude: opinion({ 'Above 1': 90, 'Above 2': 20 }),
    gpt: opinion({ 'Above 1': 30, 'Above 2': 20 }),
  });
  expect(apart.map(({ dissents }) => dissents)).toEqual([true, true]);
});

test('a council of one mind has no dissent and no distance', () => {
  const shares = fc.tuple(fc.integer({ min: 1, max: 49 }), fc.integer({ min: 1, max: 49 }));
  fc.assert(
    fc.property(shares, ([ada, bela]) => {
      const percents = { Ada: ada, Bela: bela, Chen: 100 - ada - bela };
      const same = stand(cup, Object.fromEntries(councilModels.map(model => [model, opinion(percents)])));
      expect(same.some(({ dissents }) => dissents)).toBe(false);
      for (const { distance_points: distance } of same) expect(distance).toBe(0);
    }),
  );
});
