import { z } from 'zod';
import { list, timestamp, timestampOrNull } from './parts.js';

export const newKeySchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(100)
    .regex(/^[^\p{Cc}]*$/u, 'has control characters'),
});

const keyFields = { id: z.string(), name: z.string(), key_prefix: z.string(), created_at: timestamp };

/** The one answer that holds the key itself. */
export const mintedKeyShape = z.object({ ...keyFields, key: z.string(), warning: z.string() });
export const keyShape = z.object({ ...keyFields, last_used_at: timestampOrNull });
export const keyListShape = z.object({ keys: list(keyShape) });

export type MintedKeyView = z.infer<typeof mintedKeyShape>;
export type KeyView = z.infer<typeof keyShape>;
