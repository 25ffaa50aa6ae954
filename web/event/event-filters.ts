import type { QueryAt } from '../../client/request-options.js';
import { venueNames } from '../../contract/callers/event-text.js';

type EventQuery = QueryAt<'GET /api/events'>;

/** How the list of events is chosen, as in the address: only what differs from the default. */
export type EventFilters = {
  readonly [Name in 'search' | 'venue' | 'category' | 'sort']?: NonNullable<EventQuery[Name]>;
};

/** The choices of each filter with their texts; the empty value is the default. A test compares them with the API's. */
export const filterChoices = {
  venue: [
    ['', 'All venues'],
    ['polymarket', venueNames.polymarket],
    ['kalshi', venueNames.kalshi],
    ['sample', venueNames.sample],
  ],
  category: [
    ['', 'All categories'],
    ['politics', 'Politics'],
    ['world', 'World'],
    ['economy', 'Economy'],
    ['crypto', 'Crypto'],
    ['sports', 'Sports'],
    ['culture', 'Culture'],
    ['science', 'Science'],
    ['weather', 'Weather'],
  ],
  sort: [
    ['', 'Best match'],
    ['volume', 'Most traded'],
    ['closing', 'Closing soon'],
  ],
} as const;

export type FilterName = keyof typeof filterChoices;
type Choices = readonly (readonly [value: string, text: string])[];

/**
 * What a filter offers on this service: of the venues only its own, or nothing if it has one.
 * @param venues undefined while it is not known which they are
 */
export function offeredChoices(name: FilterName, venues: readonly string[] | undefined): Choices {
  if (name !== 'venue' || venues === undefined) return filterChoices[name];
  return venues.length === 1
    ? []
    : filterChoices.venue.filter(([value]) => value === '' || venues.includes(value));
}

/** Reads the filters of an address. Whatever the API would refuse is left out. */
export function filtersIn(parameters: URLSearchParams): EventFilters {
  const search = (parameters.get('search') ?? '').trim().slice(0, searchMaxChars);
  const venue = chosen(filterChoices.venue, parameters.get('venue'));
  const category = chosen(filterChoices.category, parameters.get('category'));
  const sort = chosen(filterChoices.sort, parameters.get('sort'));
  return {
    ...(search === '' ? {} : { search }),
    ...(venue === '' ? {} : { venue }),
    ...(category === '' ? {} : { category }),
    ...(sort === '' ? {} : { sort }),
  };
}

const searchMaxChars = 200;

function chosen<Value extends string>(
  choices: readonly (readonly [value: Value, text: string])[],
  given: string | null,
): Value | '' {
  return choices.find(([value]) => value === given)?.[0] ?? '';
}
