import { describe, expect, test } from '@jest/globals';
import { attemptKinds, attemptPolicies, pauseSecondsAfter } from '../../purchase/pauses.js';

describe('the pause after a try', () => {
  test('is none at first, doubles, and is never longer than its bound', () => {
    const policy = {
      freeTries: 3,
      firstPauseSeconds: 10,
      longestPauseSeconds: 60,
      forgottenAfterSeconds: 600,
    };
    expect([0, 1, 2, 3, 4, 5, 6, 7, 10_000].map(tries => pauseSecondsAfter(policy, tries))).toEqual([
      0, 0, 0, 10, 20, 40, 60, 60, 60,
    ]);
  });

  test.each(attemptKinds)('of %s locks no owner out for longer than a quarter of an hour', kind => {
    expect(attemptPolicies[kind].account?.longestPauseSeconds ?? 0).toBeLessThanOrEqual(900);
  });

  test('lets nobody try more than a hundred and fifty passwords of one account in a day', () => {
    const policy = attemptPolicies.sign_in.account;
    if (policy === null) throw new Error('sign-ins are not counted by account');
    let tries = 0;
    for (
      let seconds = 0;
      seconds < policy.forgottenAfterSeconds;
      seconds += pauseSecondsAfter(policy, tries)
    ) {
      tries += 1;
    }
    expect(policy.forgottenAfterSeconds).toBeGreaterThanOrEqual(86_400);
    expect(tries).toBeLessThan(150);
  });
});
