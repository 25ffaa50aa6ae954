import { expect, test } from '@jest/globals';
import { retryAfterSeconds } from '../../../markets/gamma/gamma-client.js';

test('seconds are limited to between 1 and 3600', () => {
  expect(seconds({ 'retry-after': '10' })).toBe(10);
  expect(seconds({ 'retry-after': '0' })).toBe(1);
  expect(seconds({ 'retry-after': '999999' })).toBe(3600);
});

test("a date is compared with the sender's clock", () => {
  const headers = {
    date: 'Wed, 01 Jan 2031 10:00:00 GMT',
    'retry-after': 'Wed, 01 Jan 2031 10:00:45 GMT',
  };
  expect(seconds(headers)).toBe(45);
});

test('a date in the past gives the shortest delay', () => {
  expect(seconds({ 'retry-after': 'Wed, 01 Jan 2020 10:00:00 GMT' })).toBe(1);
});

test('a missing or invalid header gives no delay', () => {
  expect(seconds({})).toBeNull();
  expect(seconds({ 'retry-after': 'later' })).toBeNull();
});

function seconds(headers: Record<string, string>): number | null {
  return retryAfterSeconds(new Headers(headers));
}
