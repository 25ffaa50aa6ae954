import { z } from 'zod';
import { eventParameters } from './events.js';
import { notModified, type Operation } from './operation.js';
import { list, text, timestamp } from './parts.js';

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

export const eventPriceOperations = {
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
