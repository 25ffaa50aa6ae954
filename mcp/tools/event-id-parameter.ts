import { wishSchema } from '../../contract/purchase.js';

/** Longer or empty ones cannot be an event's. */
export const eventIdParameter = wishSchema.shape.event_id.describe(
  'The event_id of an event, as search_events returns it.',
);
