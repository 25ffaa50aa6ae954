import { z } from 'zod';
import { unavailableText } from '../../contract/callers/event-text.js';
import { type EventView, eventListShape, eventShape } from '../../contract/events.js';
import { count, list } from '../../contract/parts.js';
import { venues } from '../../council/event.js';
import { eventCategories, eventSorts } from '../../council/market/event-choice.js';
import { eventSearchDepthMax, pageSizeMax } from '../../purchase/limits.js';
import { defineTool } from './tool.js';

const shownMarketsMax = 3;
const perPageDefault = 10;

const foundEventShape = eventShape.omit({ description: true, markets: true }).extend({
  markets_total: count,
  leading_markets: list(eventShape.shape.markets.unwrap().element.pick({ market: true, yes_price: true })),
});

export const searchEvents = defineTool({
  name: 'search_events',
  title: 'Search prediction-market events',
  description:
    'Searches prediction-market events by words and returns the event_id that the other tools take, with title, closing time, ' +
    'venue, volume in `volume_unit` and up to three leading markets with their YES prices (0 to 1).\n' +
    'Use it first, whenever the user names a question in words. Do not use it to read one event whose id you know: call ' +
    'get_event, which returns the rules and all markets.\n' +
    'Free, needs no API key, changes nothing. Prices are at most 30 seconds old, and prices and order move between calls.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    search: z
      .string()
      .trim()
      .max(200)
      .default('')
      .describe(
        'A few words of the question, for example "fed cut". Every word must occur. Empty: all events.',
      ),
    venue: z
      .enum(venues)
      .optional()
      .describe(
        'One market platform. Leave it out to search all; then `unavailable` names those that did not answer.',
      ),
    category: z.enum(eventCategories).optional().describe('Only events of this category.'),
    sort: z
      .enum(eventSorts)
      .default('relevance')
      .describe('relevance to the words, volume (most traded first), or closing (next to close first).'),
    status: z
      .enum(['open', 'closed', 'all'])
      .default('open')
      .describe('Only open events can get a new report.'),
    page: z
      .int()
      .min(1)
      .max(eventSearchDepthMax)
      .default(1)
      .describe(`Which page of the results, from 1. page × per_page is at most ${eventSearchDepthMax}.`),
    per_page: z
      .int()
      .min(1)
      .max(pageSizeMax)
      .default(perPageDefault)
      .describe('Events on a page. Ten are enough to choose from.'),
  }),
  output: eventListShape.extend({ events: list(foundEventShape) }),
  run: async (query, { api }) => {
    const found = await api.events.search(query);
    return { ...found, events: found.events.map(summarize) };
  },
  describe: ({ events, page, total, unavailable }) => {
    const missing = [unavailableText(unavailable)].filter(text => text !== '');
    if (events.length === 0) {
      const none =
        page > 1
          ? 'There are no more events.'
          : 'No event matches. Use fewer or other words, or status "all" for events that have closed.';
      return [none, ...missing].join('\n');
    }
    const of = total === undefined ? '' : ` of ${total}`;
    return [`${events.length} events${of}, page ${page}:`, ...events.map(line), ...missing].join('\n');
  },
});

/** Keeps the markets with the highest YES prices. */
function summarize(event: EventView): z.input<typeof foundEventShape> {
  const byPrice = event.markets.toSorted((a, b) => (b.yes_price ?? -1) - (a.yes_price ?? -1));
  return {
    ...event,
    markets_total: event.markets.length,
    leading_markets: byPrice.slice(0, shownMarketsMax),
  };
}

function line(event: z.output<typeof foundEventShape>): string {
  const { event_id, venue, title, status, closes_at, markets_total, leading_markets } = event;
  const prices = leading_markets.map(({ market, yes_price }) => `${market} ${yes_price ?? 'no price'}`);
  const more = markets_total > leading_markets.length ? `, ${markets_total} markets in all` : '';
  return `- ${event_id}: “${title}” (${venue}, ${status}, closes ${closes_at ?? 'at an open date'}; ${prices.join(', ')}${more})`;
}
