import { expect, test } from '@jest/globals';
import { retryAfterSeconds } from '../../../markets/gamma/gamma-client.js';

test('seconds are taken as they are, at least 1 and at most an hour', () => {
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

test('a date in the past asks for the shortest wait', () => {
  expect(seconds({ 'retry-after': 'Wed, 01 Jan 2020 10:00:00 GMT' })).toBe(1);
});

test('an absent or unreadable header asks for nothing', () => {
  expect(seconds({})).toBeNull();
  expect(seconds({ 'retry-after': 'later' })).toBeNull();
});

function seconds(headers: Record<string, string>): number | null {
  return retryAfterSeconds(new Headers(headers));
}
