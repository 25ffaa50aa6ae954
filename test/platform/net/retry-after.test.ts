import { describe, expect, test } from '@jest/globals';
import { parseRetryAfter } from '../../../platform/net/retry-after.js';

const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0);
const nothing = { retryAfterMs: null, retryAfter: null, retryDelay: null };

describe('parseRetryAfter', () => {
  test.each([
    ['milliseconds', { retryAfterMs: '1500' }, 1_500],
    ['seconds', { retryAfter: '30' }, 30_000],
    ['fractions of a second, rounded up', { retryAfter: '0.0005' }, 1],
    ['no wait at all', { retryAfter: '0' }, 0],
    ['an hour, without a cap', { retryAfter: '3600' }, 3_600_000],
    ['an HTTP date', { retryAfter: 'Sat, 21 Nov 2026 12:00:45 GMT' }, 45_000],
    ['a date in the past', { retryAfter: 'Sat, 21 Nov 2026 11:59:00 GMT' }, 0],
    ['Gemini’s delay', { retryDelay: '30s' }, 30_000],
    ['Gemini’s delay with a fraction', { retryDelay: '1.25s' }, 1_250],
    ['the header before the body', { retryAfter: '2', retryDelay: '30s' }, 2_000],
    ['milliseconds before seconds', { retryAfterMs: '10', retryAfter: '30' }, 10],
    ['the next hint after an invalid one', { retryAfterMs: 'soon', retryAfter: '30' }, 30_000],
  ])('reads %s', (_, hints, expected) => {
    expect(parseRetryAfter({ ...nothing, ...hints }, nowMs)).toBe(expected);
  });

  test.each([
    '-5',
    '-0.5',
    'soon',
    '',
    ' ',
    'NaN',
    'Infinity',
    '1e9',
    '0x10',
    '9'.repeat(400),
    '30s',
    'Sat, 99 Nov',
  ])('returns null for the header %p', retryAfter => {
    expect(parseRetryAfter({ ...nothing, retryAfter }, nowMs)).toBeNull();
  });

  test.each(['30', '-3s', 's', '1m', ''])('returns null for Gemini’s delay %p', retryDelay => {
    expect(parseRetryAfter({ ...nothing, retryDelay }, nowMs)).toBeNull();
  });

  test('returns null without a hint', () => {
    expect(parseRetryAfter(nothing, nowMs)).toBeNull();
  });
});
