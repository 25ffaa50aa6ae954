import { expect, test } from '@jest/globals';
import { retryAfterSeconds } from '../../../markets/http/venue-client.js';

const date = 'Wed, 01 Jan 2031 10:00:00 GMT';

test.each<[string, Record<string, string>, number | null]>([
  ['seconds are taken', { 'retry-after': '10' }, 10],
  ['seconds are at least 1', { 'retry-after': '0' }, 1],
  ['seconds are at most 3600', { 'retry-after': '999999' }, 3_600],
  [
    "a date is compared with the sender's clock",
    { date, 'retry-after': 'Wed, 01 Jan 2031 10:00:45 GMT' },
    45,
  ],
  ['a date in the past gives the shortest delay', { 'retry-after': 'Wed, 01 Jan 2020 10:00:00 GMT' }, 1],
  ['a missing header gives no delay', {}, null],
  ['an invalid header gives no delay', { 'retry-after': 'later' }, null],
])('%s', (_, headers, seconds) => {
  expect(retryAfterSeconds(new Headers(headers))).toBe(seconds);
});
