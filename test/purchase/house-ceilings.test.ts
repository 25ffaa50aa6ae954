import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { afterRun, houseDay, isReached, reachedShares } from '../../purchase/house-ceilings.js';

const noon = new Date('2031-03-05T12:00:00Z');

const limits = fc.record({
  houseLimitUsdMicros: fc.integer({ min: 0, max: 50_000_000 }),
  grantLimitUsdMicros: fc.integer({ min: 0, max: 50_000_000 }),
  grantNeedsVerifiedAddress: fc.constant(false),
});
const purchases = fc.array(
  fc.record({ usdMicros: fc.integer({ min: 1, max: 2_000_000 }), isGranted: fc.boolean() }),
);

describe('the ceilings of a day', () => {
  test('are exceeded by less than one run, and what grants take counts in both', () => {
    fc.assert(
      fc.property(limits, purchases, (policy, runs) => {
        let day = houseDay({ all: 0, weekly_grants: 0 }, policy, noon);
        for (const { usdMicros, isGranted } of runs) {
          if (isReached(day.all) || (isGranted && isReached(day.weekly_grants))) continue;
          const before = day;
          day = afterRun(before, usdMicros, isGranted);
          expect(day.all.takenUsdMicros - before.all.takenUsdMicros).toBe(usdMicros);
          expect(day.weekly_grants.takenUsdMicros - before.weekly_grants.takenUsdMicros).toBe(
            isGranted ? usdMicros : 0,
          );
        }
        const largest = Math.max(0, ...runs.map(({ usdMicros }) => usdMicros));
        for (const { takenUsdMicros, limitUsdMicros } of [day.all, day.weekly_grants]) {
          expect(takenUsdMicros).toBeLessThanOrEqual(limitUsdMicros === 0 ? 0 : limitUsdMicros - 1 + largest);
        }
      }),
    );
  });

  test('a share that is reached stays reached, and 100 % is reached exactly when no more runs start', () => {
    fc.assert(
      fc.property(limits, purchases, (policy, runs) => {
        let day = houseDay({ all: 0, weekly_grants: 0 }, policy, noon);
        const named = () => reachedShares(day).map(({ ceiling, percent }) => `${ceiling} ${percent}`);
        for (const { usdMicros, isGranted } of runs) {
          const before = named();
          day = afterRun(day, usdMicros, isGranted);
          expect(named()).toEqual(expect.arrayContaining(before));
        }
        expect(named().includes('all 100')).toBe(isReached(day.all));
        expect(named().includes('weekly_grants 100')).toBe(isReached(day.weekly_grants));
      }),
    );
  });

  test('without a ceiling, no share is ever reached', () => {
    const none = {
      houseLimitUsdMicros: Number.POSITIVE_INFINITY,
      grantLimitUsdMicros: Number.POSITIVE_INFINITY,
    };
    const day = houseDay(
      { all: 1e15, weekly_grants: 1e15 },
      { ...none, grantNeedsVerifiedAddress: false },
      noon,
    );
    expect(reachedShares(day)).toEqual([]);
    expect(isReached(day.all)).toBe(false);
  });
});
