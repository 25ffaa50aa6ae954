import { z } from 'zod';
import { eventCategories, eventSorts } from '../council/market/event-choice.js';
import { eventSearchDepthMax } from '../purchase/limits.js';
import { notModified, type Operation } from './operation.js';
import { eventPagingParameters } from './parameters.js';
import {
  count,
  list,
  page,
  priceOrNull,
  resolution,
  sides,
  text,
  timestamp,
  timestampOrNull,
  tradingStatus,
  venue,
  volumeUnit,
} from './parts.js';

/** `GET /api/events`. */
const eventSearchParameters = z
  .object({
    ...eventPagingParameters,
    search: text(200)
      .trim()
      .optional()
      .describe(
        'Text to search for in title, rules and market names, case-insensitive. Defaults to all events.',
      ),
    venue: venue
      .optional()
      .describe('The venue to search. Defaults to all that the service sells reports on.'),
    category: z
      .enum(eventCategories)
      .optional()
      .describe('Events of one category. Each venue files them under names of its own.'),
    sort: z
      .enum(eventSorts)
      .default('relevance')
      .describe(
        'relevance: best match first, or most traded first without a search text. volume: most traded first. closing: next to close first.',
      ),
    status: z.enum(['open', 'closed', 'all']).default('open').describe('Trading status of the events.'),
  })
  .refine(({ page, per_page }) => page * per_page <= eventSearchDepthMax, {
    path: ['page'],
    // A number that is wrong by itself is named once.
    when: ({ issues }) => issues.length === 0,
    error: `page × per_page can be at most ${eventSearchDepthMax}; search for more words to find an event further down`,
  });

/** Every source has short, plain event ids and slugs. Any other text is rejected before a lookup. */
export const eventIdParameter = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,200}$/, 'There is no event with this id or slug.')
  .describe('Identifier of the event, from `GET /api/events`, or its slug at the market platform.');

export const eventParameters = z.object({ event_id: eventIdParameter });

export const eventMarketShape = z
  .object({
    market: z.string().describe('Name of the outcome; on an event with one market, its question.'),
    slug: z
      .string()
      .describe(
        'Identifier of the market at its venue: the slug in Polymarket’s URLs, the ticker at Kalshi.',
      ),
    outcomes: sides,
    yes_price: priceOrNull.describe(
      'Price of YES, in dollars per share, as implied by the order book or the last trade; null if there is neither.',
    ),
    best_bid: priceOrNull,
    best_ask: priceOrNull,
    volume: z.number().describe('Traded since the market opened, in the event’s `volume_unit`.'),
    status: tradingStatus,
    resolution,
  })
  .meta({ id: 'EventMarket' });

export const eventShape = z
  .object({
    event_id: z.string(),
    venue: venue.describe('The market platform that trades it.'),
    title: z.string(),
    description: z.string(),
    category: z.string().nullable(),
    closes_at: timestampOrNull,
    status: tradingStatus,
    exclusive: z
      .boolean()
      .describe('True if only one outcome can win. Otherwise each market is an independent yes/no question.'),
    volume: z.number().describe('Traded on all markets.'),
    volume_unit: volumeUnit.describe(
      'US dollars, or contracts that pay a dollar each: not comparable with each other.',
    ),
    url: z.string().nullable().describe('The event’s page at the market platform.'),
    markets: list(eventMarketShape).describe('A yes/no event has one market, named after its question.'),
  })
  .meta({ id: 'Event' });

export const eventListShape = z
  .object({
    events: list(eventShape),
    ...page,
    total: count.optional(),
    venues: list(venue).describe('The venues whose events this service has.'),
    unavailable: list(venue).describe('Venues that could not be searched; their events are missing.'),
  })
  .meta({ id: 'EventList' });

export type EventMarketView = z.infer<typeof eventMarketShape>;
export type EventView = z.infer<typeof eventShape>;
export type EventListView = z.infer<typeof eventListShape>;

/** The most points of an answer. */
export const pricePointsMax = 500;
/** How far the prices go back by default. */
export const pricesDefaultDays = 30;

const moment = z.iso.datetime({ error: 'must be a time in UTC, such as 2031-03-01T00:00:00Z' });

const eventPricesParameters = z
  .object({
    market: text(500)
      .optional()
      .describe('Slug or name of a market of the event. Defaults to its first market.'),
    from: moment
      .optional()
      .describe(`Start of the prices. Defaults to ${pricesDefaultDays} days before \`to\`.`),
    to: moment.optional().describe('End of the prices. Defaults to now.'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
    path: ['from'],
    when: ({ issues }) => issues.length === 0,
    error: 'must not be after `to`',
  });

export const eventPricesShape = z
  .object({
    event_id: z.string(),
    market: z.string(),
    slug: z.string(),
    points: list(
      z.object({
        at: timestamp,
        yes_price: z.number().min(0).max(1).describe('Dollars per share of YES.'),
      }),
    ).describe(
      `At most ${pricePointsMax}, oldest first. Empty if the venue keeps no past prices, or the market did not trade.`,
    ),
  })
  .meta({ id: 'EventPrices' });

export type EventPricesView = z.infer<typeof eventPricesShape>;

export const eventOperations = {
  searchEvents: {
    method: 'get',
    path: '/api/events',
    tag: 'Events',
    access: 'public',
    summary: 'Search events',
    description:
      'Searches the events of the venues. Without `venue`, the venues take turns on each page, each in its own order; one that does not answer is named in `unavailable`. `total` is omitted if a venue does not provide it. Prices are those of at most 30 seconds ago, while the market can be read; `Age` says how old they are. `page × per_page` is at most 1,000.',
    query: eventSearchParameters,
    examples: {
      search: 'federal reserve',
      venue: 'sample',
      category: 'economy',
      sort: 'relevance',
      status: 'open',
      page: 1,
      per_page: 20,
    },
    answers: {
      200: {
        description: 'One page of events.',
        schema: eventListShape,
        examples: { one: 'One matching event' },
        headers: ['ETag', 'Age'],
      },
      304: { ...notModified, headers: ['ETag', 'Age'] },
    },
    problems: ['unavailable'],
  },
  getEvent: {
    method: 'get',
    path: '/api/events/{event_id}',
    tag: 'Events',
    access: 'public',
    summary: 'Read an event',
    description:
      'Returns an event with its markets and their prices of at most 30 seconds ago, while the market can be read; `Age` says how old they are. A report is always made with the prices at its start.',
    parameters: eventParameters,
    examples: { event_id: 'sample-fed-cut-2031' },
    answers: {
      200: {
        description: 'The event.',
        schema: eventShape,
        examples: { yes_or_no: 'A question with two answers' },
        headers: ['ETag', 'Age'],
      },
      304: { ...notModified, headers: ['ETag', 'Age'] },
    },
    problems: ['event_not_found', 'unavailable'],
  },
  getEventPrices: {
    method: 'get',
    path: '/api/events/{event_id}/prices',
    tag: 'Events',
    access: 'public',
    summary: 'Read past prices of a market',
    description:
      'Returns what YES of one market traded at. `from` and `to` are rounded outwards to five minutes. `Age` says how long ago the venue was read.',
    parameters: eventParameters,
    query: eventPricesParameters,
    examples: {
      event_id: 'sample-fed-cut-2031',
      market: 'sample-fed-cut-2031-yes',
      from: '2031-02-01T00:00:00Z',
      to: '2031-03-01T00:00:00Z',
    },
    answers: {
      200: {
        description: 'The prices.',
        schema: eventPricesShape,
        examples: { rising: 'A price that rose' },
        headers: ['ETag', 'Age'],
      },
      304: { ...notModified, headers: ['ETag', 'Age'] },
    },
    problems: ['event_not_found', 'unavailable'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
