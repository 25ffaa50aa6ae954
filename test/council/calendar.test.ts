import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextMonday } from '../../council/calendar.js';

const dayMs = 86_400_000;
const moments = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('the Monday on which the next week begins', () => {
  test.each([
    ['the first moment of a Monday', '2031-03-03T00:00:00.000Z', '2031-03-10T00:00:00.000Z'],
    ['the last moment of a Sunday', '2031-03-09T23:59:59.999Z', '2031-03-10T00:00:00.000Z'],
    ['a Wednesday', '2031-03-05T12:00:00.000Z', '2031-03-10T00:00:00.000Z'],
    ['the last week of a year', '2030-12-31T23:59:59.999Z', '2031-01-06T00:00:00.000Z'],
    ['a leap day', '2028-02-29T08:00:00.000Z', '2028-03-06T00:00:00.000Z'],
  ])('seen from %s', (_, now, monday) => {
    expect(nextMonday(new Date(now)).toISOString()).toBe(monday);
  });

  test('is a Monday at midnight UTC, after now and at most a week away', () => {
    fc.assert(
      fc.property(moments, now => {
        const monday = nextMonday(now);
        const awayMs = monday.getTime() - now.getTime();
        expect(monday.getUTCDay()).toBe(1);
        expect(monday.getTime() % dayMs).toBe(0);
        expect(awayMs).toBeGreaterThan(0);
        expect(awayMs).toBeLessThanOrEqual(7 * dayMs);
      }),
    );
  });

  test('is the same for every moment of a week', () => {
    const withinWeek = fc.integer({ min: 0, max: 7 * dayMs - 1 });
    fc.assert(
      fc.property(moments, withinWeek, (now, ms) => {
        const monday = nextMonday(now);
        expect(nextMonday(new Date(monday.getTime() + ms)).getTime()).toBe(monday.getTime() + 7 * dayMs);
      }),
    );
  });
});
