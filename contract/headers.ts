import { z } from 'zod';
import { idempotencyKeptHours, idempotencyKeyMaxChars, waitMaxSeconds } from '../council/limits.js';

/** The request headers that change what is answered. */

export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(idempotencyKeyMaxChars)
    .optional()
    .describe(
      `Any text that you make up once for this purchase. Sent again with the same body within ${idempotencyKeptHours} h, it gives the same answer and buys nothing more.`,
    ),
});

export const conditionalHeader = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .describe('An `ETag` of before: where nothing has changed, the answer is 304 and has no body.'),
});

export const waitHeader = z.object({
  Prefer: z
    .string()
    .optional()
    .describe(
      `\`wait=N\` (RFC 7240) holds the answer back until the report is finished or somebody else has answered, for N seconds at most, and at most ${waitMaxSeconds}.`,
    ),
});

export const signatureHeader = z.object({
  'Stripe-Signature': z
    .string()
    .min(1)
    .describe('Over the bytes of the body, and not older than five minutes.'),
});
