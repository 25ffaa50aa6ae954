import { z } from 'zod';
import { laneParameter } from '../../contract/parameters.js';
import { purchaseRequestSchema } from '../../contract/purchase.js';
import { waitMaxSeconds } from '../../purchase/limits.js';

/** Parameters that more than one tool takes. */

export const toolEventIdParameter = purchaseRequestSchema.shape.event_id.describe(
  'The event_id of an event, as returned by search_events, or the slug in its URL at the market platform.',
);

export const toolLaneParameter = laneParameter.describe(
  'How to pay. "credits": this week’s free report if unused, else credits. "subscription": billed in US dollars, within max_usd. "byok": the ' +
    'caller’s own model keys and a flat fee in credits. Default: the subscription if the account has one, else credits.',
);

/** Clients give up on a call after about 60 seconds, even while they receive progress. */
export const waitParameter = z
  .int()
  .min(0)
  .max(waitMaxSeconds)
  .default(0)
  .describe(
    `Seconds to wait for the run to end, 0 to ${waitMaxSeconds}. With 0 the call returns at once. A run takes 30 to 120 seconds.`,
  );
