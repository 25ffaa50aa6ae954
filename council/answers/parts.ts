import { z } from 'zod';
import { listItemMaxChars, listItemsMax, visibleLine, visibleText } from '../text.js';

/** The parts that answers of several stages are made of. */

/** A JSON number. A quoted number is rejected, not converted. */
export const percentPart = z.number().min(0).max(100);

/** A text of one line, which cannot imitate a line of the report. */
export const itemPart = z.string().transform(visibleLine).pipe(z.string().min(1).max(listItemMaxChars));

export const longPart = (maxChars: number) =>
  z
    .string()
    .transform(text => visibleText(text).trim())
    .pipe(z.string().min(1).max(maxChars));

export const listPart = z.array(itemPart).max(listItemsMax);

/** Ids or letters that the prompt has shown, without repeats. The parser knows which. */
export const idsPart = z
  .array(z.string().trim())
  .max(listItemsMax)
  .transform(ids => [...new Set(ids)]);

/** A day that is not over. @param today `YYYY-MM-DD`, UTC */
export function datePart(today: string) {
  return z
    .string()
    .trim()
    .refine(day => z.iso.date().safeParse(day).success, { error: 'must be a date such as 2031-04-30' })
    .refine(day => day >= today, { error: 'must not be in the past' });
}
