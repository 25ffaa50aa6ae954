import { z } from 'zod';
import { openingGraceDays, openingWithoutCloseDays } from '../record/recorded-sale.js';
import { afterParameter, limitParameter } from './parameters.js';
import { count, list, timestamp } from './parts.js';

export const chainParameters = z.object({
  after: afterParameter.meta({
    default: 0,
    description:
      'Return only entries with a number greater than this one. Pass the last number of the previous response.',
  }),
  limit: limitParameter,
});

export const timestampParameters = z.object({
  after: afterParameter.meta({
    default: 0,
    description:
      'Return only receipts with an `id` greater than this one. Pass the last one of the previous response.',
  }),
  limit: limitParameter,
});

/** SHA-256, or as many random bytes. */
const hex256 = z.string().regex(/^[0-9a-f]{64}$/);
const number = z.int().min(1);

/** Number and hash of an entry: a witness of the whole chain up to it. */
export const recordEntryShape = z.object({ seq: count, hash: z.string() }).meta({ id: 'RecordEntry' });

export const chainEntryShape = z
  .object({
    number: number.describe('Entries are numbered from 1 without gaps.'),
    version: z
      .int()
      .min(1)
      .describe(
        'What `hash` covers: the SHA-256 of lines, joined by a line feed. 2: `record-entry/2`, `number`, `kind`, `sale` or `-`, `time`, `opens_by`, `simulated` or `live`, `previous_hash` and `commitment`. 1, which release 1.0.0 wrote for completed reports: `record-entry/1`, `number`, `time`, `simulated` or `live`, `previous_hash` and `commitment`.',
      ),
    kind: z
      .enum(['sold', 'completed', 'failed'])
      .describe('A report was sold, or its run ended: with a forecast, or without one and refunded.'),
    sale: number
      .nullable()
      .describe(
        'The number of the entry of the sale. Null for that entry itself, and for a report that was sold under release 1.0.0 and has no such entry.',
      ),
    time: timestamp.describe('When the report was sold, completed or failed.'),
    opens_by: timestamp
      .nullable()
      .describe(
        `When \`payload\` is public at the latest: ${openingGraceDays} days after the event’s closing time or the sale, whichever is later; ${openingWithoutCloseDays} days after the sale if the event has no closing time; at once for a failure. Null if version 1 promised nothing.`,
      ),
    previous_hash: hex256.describe('The `hash` of the previous entry; 64 zeros for the first one.'),
    hash: hex256,
    simulated: z.boolean().describe('Whether the models of the report were simulated.'),
    commitment: hex256.describe('SHA-256 of the 32 bytes of `salt` and the text of `payload`.'),
    salt: hex256
      .nullable()
      .describe(
        'Random bytes, so that no payload can be guessed from its commitment. Null while the payload is hidden.',
      ),
    payload: z
      .string()
      .nullable()
      .describe(
        'JSON text, exactly as it was hashed: the event and its rules (`sale/1`), the forecast (`record/2`; `record/1` of release 1.0.0 lacks `confidence`, `outside_view`, `resolution_risk` and `market_gap`), or the reason of the failure (`failure/1`). Null while the event is open, until `opens_by`: buyers paid for the forecast.',
      ),
  })
  .meta({ id: 'ChainEntry' });

export const chainShape = z.object({ entries: list(chainEntryShape) }).meta({ id: 'Chain' });

export const recordTimestampShape = z
  .object({
    id: number,
    number: number.describe('The newest entry of the chain at that time.'),
    hash: hex256.describe('The `hash` of that entry, which the token signs.'),
    time: timestamp.describe('When the authority signed it, by its clock.'),
    authority: z.string().describe('URL of the time-stamp authority.'),
    token: z
      .string()
      .describe('The time-stamp token of RFC 3161, DER in base64. `openssl ts -verify -token_in` checks it.'),
  })
  .meta({ id: 'RecordTimestamp' });

export const recordTimestampsShape = z
  .object({ timestamps: list(recordTimestampShape) })
  .meta({ id: 'RecordTimestamps' });

/** Of the track record. */
export const recordProofShape = z
  .object({
    authority: z
      .string()
      .nullable()
      .describe('URL of the time-stamp authority of the newest receipt. Null: nobody confirms any date.'),
    graded: count.describe('Graded forecasts.'),
    stamped_before_outcome: count.describe(
      'Those whose entry a receipt covers from before the outcome can have been known: the earliest of `resolution.observed_at`, `resolution.first_observed_at` and the market’s own closing time in `resolution.evidence`, in the export.',
    ),
    unproven: count.describe('The others. Their dates rest on the word of the operator.'),
    overdue: count.describe('Entries of the chain that are hidden after their `opens_by`: a fault.'),
  })
  .describe('What receipts prove, as of `as_of`; `authority` is current.');

export type RecordEntryView = z.infer<typeof recordEntryShape>;
export type ChainEntryView = z.infer<typeof chainEntryShape>;
export type RecordTimestampView = z.infer<typeof recordTimestampShape>;
