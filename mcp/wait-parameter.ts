import { z } from 'zod';
import { waitMaxSeconds } from '../council/limits.js';

/** Never longer: clients give up on a call after about 60 seconds, whatever progress they are told of. */
export const waitParameter = z
  .int()
  .min(0)
  .max(waitMaxSeconds)
  .default(0)
  .describe(
    `Seconds to wait for the report to end, 0 to ${waitMaxSeconds}. 0 answers at once. A run takes 30 to 120 seconds.`,
  );
