import { z } from 'zod';
import { pagingParameters } from './parameters.js';
import {
  count,
  list,
  page,
  priceOrNull,
  resolution,
  sides,
  timestampOrNull,
  tradingStatus,
} from './parts.js';

/** `GET /api/events`: what can be put before a council. */
export const eventSearchParameters = z.object({
  ...pagingParameters,
  search: z.string().trim().max(200).optional(),
  status: z.enum(['open', 'closed', 'all']).default('open'),
});

export const eventMarketShape = z.object({
  market: z.string(),
  slug: z.string(),
  outcomes: sides,
  yes_price: priceOrNull,
  best_bid: priceOrNull,
  best_ask: priceOrNull,
  volume: z.number(),
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
  exclusive: z.boolean(),
  volume: z.number(),
  url: z.string().nullable(),
  markets: list(eventMarketShape),
});

export const eventListShape = z.object({ events: list(eventShape), ...page, total: count.optional() });

export type EventMarketView = z.infer<typeof eventMarketShape>;
export type EventView = z.infer<typeof eventShape>;
