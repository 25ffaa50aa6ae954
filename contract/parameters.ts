import { z } from 'zod';
import {
  idempotencyKeptHours,
  idempotencyKeyMaxChars,
  pageSizeDefault,
  pageSizeMax,
  waitMaxSeconds,
} from '../council/limits.js';
import { lanes } from '../council/purchase/purchase.js';

/** The parameters that more than one route takes, each parsed in one way only. */

const pageMax = 10_000;

/** What a parameter is after parsing is also what is published of it, so a default has to be told besides. */
const wholeNumber = (name: string, min: number, max: number, otherwise: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .optional()
    .transform(text => (text === undefined ? otherwise : Number(text)))
    .pipe(z.int().min(min).max(max))
    .meta({ default: otherwise, description });

export const pagingParameters = {
  page: wholeNumber('page', 1, pageMax, 1, 'Which page, from 1. Beyond the last one the list is empty.'),
  per_page: wholeNumber('per_page', 1, pageSizeMax, pageSizeDefault, 'How many to a page.'),
};

export const laneParameter = z
  .enum(lanes)
  .optional()
  .describe(
    'How to pay. Unless given: `subscription` where an API key asks for an account that has one, else `credits`.',
  );

const idDigitsMax = 15;
const idMax = 10 ** idDigitsMax - 1;

/** Ids of reports are whole numbers from 1; anything else cannot be one. */
export const reportIdParameter = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(idMax));

/** From 0, which stands before every report. */
export const afterParameter = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .default('0')
  .transform(Number)
  .pipe(z.int().min(0).max(idMax))
  .meta({
    default: 0,
    description: 'Only reports with a greater id than this: the last one of the page before.',
  });

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
