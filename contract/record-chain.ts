import { z } from 'zod';
import { afterParameter, limitParameter } from './parameters.js';
import { list, timestamp } from './parts.js';

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

export const chainEntryShape = z
  .object({
    number: number.describe('Entries are numbered from 1 without gaps.'),
    version: z
      .int()
      .min(1)
      .describe(
        'What `hash` covers. 1: the SHA-256 of six lines, joined by a line feed: `record-entry/1`, `number`, `time`, `simulated` or `live`, `previous_hash` and `commitment`.',
      ),
    time: timestamp.describe('When the report was completed.'),
    previous_hash: hex256.describe('The `hash` of the previous entry; 64 zeros for the first one.'),
    hash: hex256,
    simulated: z.boolean().describe('Whether the models of the report were simulated.'),
    commitment: hex256.describe('SHA-256 of the 32 bytes of `salt` and the text of `payload`.'),
    salt: hex256
      .nullable()
      .describe(
        'Random bytes, so that no forecast can be guessed from its commitment. Null while the event is open.',
      ),
    payload: z
      .string()
      .nullable()
      .describe(
        'The forecast as JSON text, exactly as it was hashed. Null while the event is open: its buyers paid for the forecast.',
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

export type ChainEntryView = z.infer<typeof chainEntryShape>;
export type RecordTimestampView = z.infer<typeof recordTimestampShape>;
