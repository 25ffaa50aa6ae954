import { z } from 'zod';

/**
 * A text of at most so many characters, counted as JSON Schema counts them: by code point. A string's `length` would
 * count an emoji twice, and refuse what the published schema lets in.
 */
export const text = (maxChars: number) =>
  z
    .string()
    .refine(value => Array.from(value).length <= maxChars, {
      error: `must have at most ${maxChars} characters`,
      abort: true,
    })
    .meta({ maxLength: maxChars });
