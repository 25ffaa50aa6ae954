import { at } from '../../council/numbers.js';
import { compareText } from '../../council/text.js';
import type { EventSlice } from './event-mean.js';
import type { EstimateDifference, Figures, ScoreSummary } from './figures.js';

/** The events of one category, or of several that are too small to name. */
export interface CategoryFigures extends ScoreSummary {
  /** `other`: the categories that are not named; `none`: events that the market gave no category. */
  readonly slice: 'category' | 'other' | 'none';
  /** Null unless the slice is one category. */
  readonly category: string | null;
  /** Number of categories in the slice. */
  readonly categories: number;
  readonly estimate: Figures;
  readonly estimate_difference: EstimateDifference;
}

type Named = Pick<CategoryFigures, 'slice' | 'category' | 'categories'>;

/** More would only be read by chance: the others are merged, so that the answer stays bounded. */
const namedCategoriesMax = 10;

/**
 * The named ones, the others and none. Sequences are adjusted for this number also where there are fewer slices, so that
 * they stay valid while categories appear.
 */
const categorySlicesMax = namedCategoriesMax + 2;

/**
 * The figures by category of the event. An event has the category of its first graded report, and all of its reports
 * count there. The ten categories with the most events are named, in that order; those with equally many in the order of
 * their names by code unit. Then `other`, if more than ten remain, and `none`, if an event has no category.
 *
 * @param categories of the events, by event number
 * @param figuresOf the figures of a part of the events
 */
export function figuresByCategory(
  categories: readonly (string | null)[],
  figuresOf: (slice: EventSlice) => Omit<CategoryFigures, keyof Named>,
): CategoryFigures[] {
  const ranked = rankedCategories(categories);
  const named = ranked.slice(0, namedCategoriesMax);
  const merged = ranked.length - named.length;
  const figures = (name: Named, includes: (category: string | null) => boolean) => ({
    ...name,
    ...figuresOf({
      includes: event => includes(at(categories, event)),
      slices: categorySlicesMax,
    }),
  });
  return [
    ...named.map(name =>
      figures({ slice: 'category', category: name, categories: 1 }, each => each === name),
    ),
    ...(merged === 0
      ? []
      : [
          figures(
            { slice: 'other', category: null, categories: merged },
            each => each !== null && !named.includes(each),
          ),
        ]),
    ...(categories.includes(null)
      ? [figures({ slice: 'none', category: null, categories: 0 }, each => each === null)]
      : []),
  ];
}

/** Those with the most events first. */
function rankedCategories(categories: readonly (string | null)[]): string[] {
  const events = new Map<string, number>();
  for (const category of categories) {
    if (category !== null) events.set(category, (events.get(category) ?? 0) + 1);
  }
  return [...events]
    .sort(([one, many], [other, more]) => more - many || compareText(one, other))
    .map(([category]) => category);
}
