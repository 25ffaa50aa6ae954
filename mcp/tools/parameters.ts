import { z } from 'zod';
import { laneParameter } from '../../contract/parameters.js';
import { purchaseRequestSchema } from '../../contract/purchase.js';
import { waitMaxSeconds } from '../../council/limits.js';

/** Longer or empty ones cannot be an event's. */
export const eventIdParameter = purchaseRequestSchema.shape.event_id.describe(
  'The event_id of an event, as search_events returns it.',
);

export const toolLaneParameter = laneParameter.describe(
  'How to pay. "credits": this week’s free report if unused, else credits. "subscription": metered in USD. "byok": the ' +
    'caller’s own model keys and a flat fee in credits. Unset: the subscription if the account has one, else credits.',
);

/** Never longer: clients give up on a call after about 60 seconds, whatever progress they are told of. */
export const waitParameter = z
  .int()
  .min(0)
  .max(waitMaxSeconds)
  .default(0)
  .describe(
    `Seconds to wait for the report to end, 0 to ${waitMaxSeconds}. 0 answers at once. A run takes 30 to 120 seconds.`,
  );
