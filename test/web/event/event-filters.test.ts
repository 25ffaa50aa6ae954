import { describe, expect, test } from '@jest/globals';
import { venues } from '../../../council/event.js';
import { eventCategories, eventSorts } from '../../../council/market/event-choice.js';
import { filterChoices, filtersIn, offeredChoices } from '../../../web/event/event-filters.js';

const read = (query: string) => filtersIn(new URLSearchParams(query));

describe('the filters of the list of events', () => {
  test('are those of the address', () => {
    const filters = { search: 'fed', venue: 'sample', category: 'economy', sort: 'closing' };
    expect(read('search=+fed+&venue=sample&category=economy&sort=closing&page=2')).toEqual(filters);
  });

  test.each(['', 'search=&venue=&category=&sort=', 'venue=nyse&category=x&sort=relevance'])(
    'of “%s” are the defaults',
    query => {
      expect(read(query)).toEqual({});
    },
  );

  test('offer all that the API knows', () => {
    const offered = (name: keyof typeof filterChoices) =>
      filterChoices[name].map(([value]) => value).slice(1);
    expect(offered('venue')).toEqual([...venues]);
    expect(offered('category')).toEqual([...eventCategories]);
    expect(['relevance', ...offered('sort')]).toEqual([...eventSorts]);
  });

  test.each([
    [undefined, ['', ...venues]],
    [
      ['polymarket', 'kalshi'],
      ['', 'polymarket', 'kalshi'],
    ],
    [['sample'], []],
  ])('of a service with the venues %j offer %j', (ofService, offered) => {
    expect(offeredChoices('venue', ofService).map(([value]) => value)).toEqual(offered);
  });
});
