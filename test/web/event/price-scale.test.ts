import { describe, expect, test } from '@jest/globals';
import { pricePath, priceScale, priceSummary, sinceReport } from '../../../web/shared/price-scale.js';

const points = [
  { at: '2031-02-01T00:00:00.000Z', yes_price: 0.5 },
  { at: '2031-02-02T00:00:00.000Z', yes_price: 0.25 },
  { at: '2031-02-03T00:00:00.000Z', yes_price: 0.75 },
];
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ');

describe('past prices', () => {
  test('hold until the next one, with the highest on top', () => {
    const scale = priceScale(points.map(({ at }) => at));
    expect(pricePath(points, scale)).toBe('M0 100H320V150H640V50');
  });

  test('are summed up in words', () => {
    expect(plain(priceSummary(points))).toBe(
      'From 50 % on 1 Feb 2031 to 75 % on 3 Feb 2031; lowest 25 %, highest 75 %.',
    );
  });

  test.each([
    [40, 'Since the report, the price rose from 40 % to 75 %.'],
    [80, 'Since the report, the price fell from 80 % to 75 %.'],
    [75, 'Since the report, the price has not changed on balance: 75 %.'],
    [null, 'Since the report, the price rose from 50 % to 75 %.'],
  ])('after a report at %s percent say what they did since', (market, text) => {
    expect(plain(sinceReport(points, '2031-02-01T12:00:00.000Z', market))).toBe(text);
  });

  test('say nothing if all were before the report', () => {
    expect(sinceReport(points, '2031-02-04T00:00:00.000Z', 40)).toBeNull();
  });
});
