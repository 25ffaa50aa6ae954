import { z } from 'zod';
import { list, text, timestamp, timestampOrNull } from './parts.js';

const noControls = '[^\\u0000-\\u001f\\u007f-\\u009f]*';
/** The same pattern without Unicode classes, which not every JSON Schema reader supports. */
const publishedName = `^${noControls}[^\\s\\u0000-\\u001f\\u007f-\\u009f]${noControls}$`;

export const newKeySchema = z.strictObject({
  name: text(100)
    .regex(/^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$/u, 'must not be blank or contain control characters')
    .trim()
    .meta({ pattern: publishedName, description: 'A label for the key.' }),
});

export const keyParameters = z.object({
  key_id: z.uuid().describe('Identifier of the key, from `GET /api/keys`.'),
});

const keyFields = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().describe('The first characters of the key, for recognition.'),
  created_at: timestamp,
};

/** The only response that contains the key. */
export const mintedKeyShape = z.object({
  ...keyFields,
  key: z.string().describe('The API key. Shown only once, because the service stores only its hash.'),
  warning: z.string(),
});
export const keyShape = z.object({
  ...keyFields,
  last_used_at: timestampOrNull.describe('Updated at most once per minute.'),
});
export const keyListShape = z.object({ keys: list(keyShape) });

export type MintedKeyView = z.infer<typeof mintedKeyShape>;
export type KeyView = z.infer<typeof keyShape>;
