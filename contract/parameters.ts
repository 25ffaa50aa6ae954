import { z } from 'zod';
import { quorumOpinions } from '../council/method.js';
import { councilModels } from '../council/models.js';
import {
  batchRowsMax,
  eventSearchDepthMax,
  heldAnswersPerAccount,
  idempotencyKeptHours,
  idempotencyKeyMaxChars,
  pageSizeDefault,
  pageSizeMax,
  waitMaxSeconds,
} from '../purchase/limits.js';
import { lane } from './parts.js';

const pageMax = 10_000;

/** The published schema is that of the parsed value, so the default has to be published separately. */
const wholeNumber = (name: string, min: number, max: number, fallback: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .optional()
    .transform(text => (text === undefined ? fallback : Number(text)))
    .pipe(z.int().min(min).max(max))
    .meta({ default: fallback, description });

export const pagingParameters = {
  page: wholeNumber(
    'page',
    1,
    pageMax,
    1,
    'Page number, starting at 1. The list is empty after the last page.',
  ),
  per_page: wholeNumber('per_page', 1, pageSizeMax, pageSizeDefault, 'Items per page.'),
};

/** As {@link pagingParameters}, for a list that is read from its start: `page × per_page` is limited. */
export const eventPagingParameters = {
  page: wholeNumber(
    'page',
    1,
    eventSearchDepthMax,
    1,
    `Page number, starting at 1; \`page × per_page\` is at most ${eventSearchDepthMax}. The list is empty after the last page.`,
  ),
  per_page: pagingParameters.per_page,
};

export const limitParameter = wholeNumber(
  'limit',
  1,
  pageSizeMax,
  pageSizeDefault,
  'Maximum number of items in the response.',
);

/** How many opinions a buyer can ask for. */
const minMembersRange = { min: quorumOpinions, max: councilModels.length };
const minMembersText =
  'The fewest valid opinions of a report that you buy. A run with fewer fails as `quorum_lost` and is refunded in full, and a cached report with fewer is not sold to you. A report that you own stays yours.';

/** In a body. */
export const minMembersField = z
  .int()
  .min(minMembersRange.min)
  .max(minMembersRange.max)
  .optional()
  .describe(`${minMembersText} Default: ${quorumOpinions}.`);

/** In a query. */
export const minMembersParameter = wholeNumber(
  'min_members',
  minMembersRange.min,
  minMembersRange.max,
  quorumOpinions,
  `${minMembersText} Send what you will buy with, so that the price is true.`,
);

export const laneParameter = lane
  .optional()
  .describe(
    'How to pay. Defaults to `subscription` for a request with an API key of an account that has one, otherwise to `credits`.',
  );

const idDigitsMax = 15;
const idMax = 10 ** idDigitsMax - 1;

/** Report ids are whole numbers from 1. */
export const reportIdParameter = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(idMax));

/** Rows of a batch are numbered from 1. */
export const afterRowParameter = wholeNumber(
  'after',
  0,
  batchRowsMax,
  0,
  'Return only rows after this position. Pass `next` of the previous response.',
);

/** Starts at 0, which is lower than every report id. */
export const afterParameter = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .default('0')
  .transform(Number)
  .pipe(z.int().min(0).max(idMax))
  .meta({
    default: 0,
    description:
      'Return only reports with an id greater than this one. Pass the last id of the previous response.',
  });

export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(idempotencyKeyMaxChars)
    .optional()
    .describe(
      `A unique value that you generate for this purchase. A retry with the same key and body within ${idempotencyKeptHours} hours returns the original response and buys nothing more.`,
    ),
});

/** Of a request that is refused without a key. */
export const requiredIdempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(idempotencyKeyMaxChars)
    .describe(
      `A unique value that you generate for this batch. A retry with the same key and body within ${idempotencyKeptHours} hours returns the same batch, and starts it if it was not started. Required for a dry run too, which does not use the key up.`,
    ),
});

export const conditionalHeader = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body.',
    ),
});

const waitHeaderUntil = (change: string) =>
  z.object({
    Prefer: z
      .string()
      .optional()
      .describe(
        `\`wait=N\` (RFC 7240) delays the response until ${change}, for at most N seconds (maximum ${waitMaxSeconds}). An account can have ${heldAnswersPerAccount} responses held at a time; more are refused with \`rate_limited\`.`,
      ),
  });

export const waitHeader = waitHeaderUntil('the report is completed or failed or its progress changes');
export const batchWaitHeader = waitHeaderUntil(
  'the batch differs from the version of `If-None-Match`, or without one from the batch at the start of the request',
);

export const signatureHeader = z.object({
  'Stripe-Signature': z
    .string()
    .min(1)
    .describe('Stripe’s signature of the raw body, at most five minutes old.'),
});
