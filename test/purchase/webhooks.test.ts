import { describe, expect, test } from '@jest/globals';
import { afterTry, lowBalanceAfter } from '../../purchase/webhooks.js';

const failed = (number: number, more: object = {}) => ({
  statusCode: 500,
  retryAfterSeconds: null,
  number,
  ...more,
});

describe('after a try', () => {
  test.each([200, 204, 299])('%s is success', statusCode => {
    expect(afterTry(failed(1, { statusCode }), 0)).toEqual({ kind: 'delivered' });
  });

  test.each([null, 199, 301, 307, 400, 404, 429, 500, 503])('%s is tried again', statusCode => {
    expect(afterTry(failed(1, { statusCode }), 0)).toEqual({ kind: 'again', afterSeconds: 5 });
  });

  test('410 ends the delivery and disables the endpoint, whatever the try', () => {
    for (const number of [1, 10, 11])
      expect(afterTry(failed(number, { statusCode: 410 }), 0)).toEqual({ kind: 'failed', disables: 'gone' });
  });

  test('the pauses are those of the contract, and the tenth try is the last', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => afterTry(failed(index + 1), 0));
    expect(pauses.map(after => ('afterSeconds' in after ? after.afterSeconds / 60 : after))).toEqual([
      5 / 60,
      5,
      30,
      2 * 60,
      5 * 60,
      10 * 60,
      14 * 60,
      20 * 60,
      24 * 60,
      { kind: 'failed', disables: 'failing' },
    ]);
  });

  test('a try that its owner has asked for after the last one disables nothing', () => {
    expect(afterTry(failed(11), 0)).toEqual({ kind: 'failed', disables: null });
  });

  test('a pause has at most a fifth more, and is longer only where the receiver asks for it', () => {
    expect(afterTry(failed(2), 1)).toEqual({ kind: 'again', afterSeconds: 360 });
    expect(afterTry(failed(2, { retryAfterSeconds: 299 }), 0)).toEqual({ kind: 'again', afterSeconds: 300 });
    expect(afterTry(failed(2, { retryAfterSeconds: 900 }), 1)).toEqual({ kind: 'again', afterSeconds: 900 });
  });
});

describe('a charge', () => {
  const before = { balanceCredits: 250, quote: { freshCredits: 100 } };
  const purchased = (credits: number) => ({ credits, funding: { pool: 'purchased' } });

  test('that takes the balance below the price of a fresh report is news', () => {
    expect(lowBalanceAfter(purchased(151), before)).toBe(99);
  });

  test.each([
    ['leaves the price of one', purchased(150), before],
    ['is paid from another pool', { credits: 200, funding: { pool: 'weekly_grant' } }, before],
    ['finds the balance below it', purchased(10), { ...before, balanceCredits: 99 }],
  ])('that %s is none', (_, charge, situation) => {
    expect(lowBalanceAfter(charge, situation)).toBeNull();
  });
});
