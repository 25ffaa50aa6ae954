import { z } from 'zod';
import { listItemMaxChars, listItemsMax } from './text-limits.js';

/** The parts of which every answer is made. Numbers are JSON numbers: a quoted one is refused, not converted. */
const percentPart = z.number().min(0).max(100);

/** A model that writes 0.7 for "70 % sure" has misread the scale; nobody is between 0 and 1 % sure. */
export const confidencePart = percentPart.refine(percent => percent === 0 || percent >= 1, {
  error: 'must be a percent from 0 to 100, not a fraction',
});

export const distributionPart = z.array(z.object({ outcome: z.string(), probability: percentPart }));

export const listPart = z.array(z.string().trim().min(1).max(listItemMaxChars)).max(listItemsMax);
