import { describe, expect, test } from '@jest/globals';
import { usageFate } from '../../council/usage-fate.js';

const now = new Date('2031-03-05T12:00:00Z');
const hour = 3_600_000;
const ago = (ms: number) => new Date(now.getTime() - ms);

describe('usage is sent', () => {
  test.each([
    ['at once', { occurredAt: now, firstTriedAt: null }],
    [
      'to the last moment at which its id still counts once',
      { occurredAt: ago(30 * hour), firstTriedAt: ago(23 * hour) },
    ],
    ['to the last moment at which it is taken', { occurredAt: ago(34 * 24 * hour), firstTriedAt: null }],
  ])('%s', (_, usage) => {
    expect(usageFate(usage, now)).toBe('send');
  });
});

describe('usage is held for a person', () => {
  test.each([
    [
      'when sending it again might bill it twice',
      { occurredAt: ago(30 * hour), firstTriedAt: ago(23 * hour + 1) },
    ],
    ['when it is too old to be taken', { occurredAt: ago(34 * 24 * hour + 1), firstTriedAt: null }],
  ])('%s', (_, usage) => {
    expect(usageFate(usage, now)).toBe('hold');
  });
});
