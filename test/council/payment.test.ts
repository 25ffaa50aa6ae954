import { expect, test } from '@jest/globals';
import { isLive } from '../../council/payment.js';

test.each([
  ['active', true],
  ['trialing', true],
  ['past_due', true],
  ['unpaid', true],
  ['paused', true],
  ['something_new', true],
  ['incomplete', false],
  ['incomplete_expired', false],
  ['canceled', false],
])('a subscription that is %s lives: %p', (status, live) => {
  expect(isLive({ status })).toBe(live);
});
