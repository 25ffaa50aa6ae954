import { describe, expect, test } from '@jest/globals';
import { of, rain } from './graded-rows.js';

const inCategory = (category: string | null, event_id: string, council = 80) =>
  rain(council, 50, 'yes', { event_id, category });

/** Events of these categories, as many as the number says. */
const events = (sizes: Readonly<Record<string, number>>) =>
  Object.entries(sizes).flatMap(([category, size]) =>
    Array.from({ length: size }, (_, index) => inCategory(category, `${category}-${index}`)),
  );

describe('figures by category', () => {
  test('are empty without events', () => {
    expect(of([]).by_category).toEqual([]);
  });

  test('begin with the category of the most events; equal ones are in the order of their names', () => {
    const slices = of([...events({ Sport: 2, Politics: 3, Crypto: 2 }), inCategory(null, 'x')]).by_category;
    expect(slices.map(({ slice, category, categories }) => [slice, category, categories])).toEqual([
      ['category', 'Politics', 1],
      ['category', 'Crypto', 1],
      ['category', 'Sport', 1],
      ['none', null, 0],
    ]);
    expect(slices.map(({ council }) => council.events)).toEqual([3, 2, 2, 1]);
  });

  test('name ten categories and merge the others, so that the answer stays bounded', () => {
    const sizes = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`c${index}`, index < 9 ? 3 : 1]),
    );
    const slices = of(events(sizes)).by_category;
    expect(slices).toHaveLength(11);
    expect(slices[9]).toMatchObject({ slice: 'category', category: 'c10', council: { events: 1 } });
    expect(slices[10]).toMatchObject({
      slice: 'other',
      category: null,
      categories: 290,
      council: { n: 290, events: 290 },
      paired_difference: { n: 290, events: 290 },
      estimate_difference: { n: 290, events: 290 },
    });
  });

  test('have each event in one slice with all its reports: that of its first one', () => {
    const slices = of([
      inCategory('Sport', 'a', 80),
      inCategory('Politics', 'a', 60),
      inCategory('Politics', 'b', 60),
    ]).by_category;
    const brier = (council: number) => 2 * (1 - council / 100) ** 2;
    expect(slices.map(({ category, council }) => [category, council.n, council.events])).toEqual([
      ['Politics', 1, 1],
      ['Sport', 2, 1],
    ]);
    expect(slices[1]?.council.brier).toBeCloseTo((brier(80) + brier(60)) / 2, 12);
  });

  test('are as wide with one slice as with twelve, and add up to the figures of all', () => {
    const rows = events({ Sport: 40 });
    const {
      by_category: slices,
      paired_difference: all,
      by_action,
      estimate,
      estimate_difference,
    } = of(rows);
    const [slice] = slices;
    const widthOf = ({ confidence_sequence_95: ends }: typeof all) => (ends === null ? 0 : ends[1] - ends[0]);
    expect(slice?.paired_difference.mean).toBe(all.mean);
    expect(slice?.paired_difference.interval_95).toEqual(all.interval_95);
    expect(slice?.estimate).toEqual(estimate);
    expect(slice?.estimate_difference.mean).toBe(estimate_difference.mean);
    expect(slice && widthOf(slice.paired_difference)).toBeGreaterThan(
      widthOf(by_action.SKIP.paired_difference),
    );
    const many = of([
      ...rows,
      ...events(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`c${i}`, 1]))),
    ]);
    expect(many.by_category[0]?.paired_difference).toEqual(slice?.paired_difference);
  });
});
