import { z } from 'zod';
import { pagingParameters } from './parameters.js';
import {
  count,
  list,
  page,
  priceOrNull,
  resolution,
  sides,
  text,
  timestampOrNull,
  tradingStatus,
} from './parts.js';

/** `GET /api/events`: what can be put before a council. */
export const eventSearchParameters = z.object({
  ...pagingParameters,
  search: text(200)
    .trim()
    .optional()
    .describe(
      'Words that title, rules or markets of the event hold, in any letter case. Unless given, all events.',
    ),
  status: z.enum(['open', 'closed', 'all']).default('open').describe('Whether the event still trades.'),
});

/** Ids of events are short and plain at every source; anything else is the id of none. */
export const eventIdParameter = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,128}$/)
  .describe('Identifier of the event, as the search of events tells it.');

export const eventMarketShape = z.object({
  market: z.string().describe('Name of the outcome, or the question.'),
  slug: z.string().describe('For links to the market platform.'),
  outcomes: sides,
  yes_price: priceOrNull.describe(
    'What the market says YES is worth; null where nobody bids and nothing was traded.',
  ),
  best_bid: priceOrNull,
  best_ask: priceOrNull,
  volume: z.number().describe('US dollars, since the market opened.'),
  status: tradingStatus,
  resolution,
});

export const eventShape = z.object({
  event_id: z.string(),
  title: z.string(),
  description: z.string(),
  category: z.string().nullable(),
  closes_at: timestampOrNull,
  status: tradingStatus,
  exclusive: z
    .boolean()
    .describe('Exactly one outcome wins. Otherwise each market is a question of its own.'),
  volume: z.number().describe('US dollars, over all markets.'),
  url: z.string().nullable().describe('The event at the market platform.'),
  markets: list(eventMarketShape).describe('A yes/no event has one, named by its question.'),
});

export const eventListShape = z.object({ events: list(eventShape), ...page, total: count.optional() });

export type EventMarketView = z.infer<typeof eventMarketShape>;
export type EventView = z.infer<typeof eventShape>;
