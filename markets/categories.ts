import { z } from 'zod';
import { eventCategories } from '../council/market/event-choice.js';
import table from './categories.json' with { type: 'json' };

/** The slugs of Polymarket's tags and the names of Kalshi's categories that belong to a category. */
export const venueCategories = z
  .record(
    z.enum(eventCategories),
    z.strictObject({
      polymarket: z.array(z.string()).readonly(),
      kalshi: z.array(z.string()).readonly(),
    }),
  )
  .parse(table);
