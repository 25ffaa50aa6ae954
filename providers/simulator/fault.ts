import { z } from 'zod';
import { stages } from '../../council/deliberation.js';
import { councilModels } from '../../council/models.js';

/** What can go wrong with one answer. README.md says what each looks like at each vendor. */
export const faultShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: z.int().nonnegative().max(600_000) }),
  z.strictObject({
    kind: z.literal('http'),
    status: z.int().min(200).max(599),
    /** Sent as the `Retry-After` header as it stands: seconds or an HTTP date. */
    retry_after: z.string().optional(),
    /** The vendor's error code or type. */
    code: z.string().optional(),
    /** An HTML page in place of the vendor's JSON. */
    html: z.boolean().optional(),
    /** The error's text repeats the headers of the request, the key among them. */
    echo: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('says'), text: z.string().max(100_000) }),
  z.strictObject({
    kind: z.enum([
      'hang',
      'refusal',
      'truncated',
      'invalid_json',
      'wrong_sum',
      'unknown_outcome',
      'empty',
      'connection_reset',
      'content_filter',
    ]),
  }),
]);

export type Fault = z.infer<typeof faultShape>;

/** Which calls a fault strikes: those of one model, one stage, one key, or any of them; for ever or so many times. */
export const faultMatchShape = z.strictObject({
  model: z.enum(councilModels).optional(),
  stage: z.enum(stages).optional(),
  /** What `hash-key` makes of the key. */
  keyHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  times: z.int().positive().optional(),
});

export type FaultMatch = z.infer<typeof faultMatchShape>;

export const faultRuleShape = faultMatchShape.extend({ fault: faultShape });

export type FaultRule = z.infer<typeof faultRuleShape>;
