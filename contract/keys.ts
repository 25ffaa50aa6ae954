import { z } from 'zod';
import { list, text, timestamp, timestampOrNull } from './parts.js';

const noControls = '[^\\u0000-\\u001f\\u007f-\\u009f]*';
/** The same without classes of characters, which not every reader of a JSON Schema knows. */
const publishedName = `^${noControls}[^\\s\\u0000-\\u001f\\u007f-\\u009f]${noControls}$`;

export const newKeySchema = z.strictObject({
  name: text(100)
    .regex(/^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$/u, 'must not be blank, nor hold control characters')
    .trim()
    .meta({ pattern: publishedName, description: 'A label to tell your keys apart by.' }),
});

export const keyParameters = z.object({
  key_id: z.uuid().describe('Identifier of the key, as the list tells it.'),
});

const keyFields = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().describe('The first characters of the key, to recognise it by.'),
  created_at: timestamp,
};

/** The one answer that holds the key itself. */
export const mintedKeyShape = z.object({
  ...keyFields,
  key: z.string().describe('The key itself. Shown this once: only its hash is stored.'),
  warning: z.string(),
});
export const keyShape = z.object({
  ...keyFields,
  last_used_at: timestampOrNull.describe('Noted at most once a minute.'),
});
export const keyListShape = z.object({ keys: list(keyShape) });

export type MintedKeyView = z.infer<typeof mintedKeyShape>;
export type KeyView = z.infer<typeof keyShape>;
