import { z } from 'zod';
import { keyVendors } from '../council/models.js';
import { list, timestamp } from './parts.js';

export const providerParameter = z.enum(keyVendors);
export const providerKeyParameters = z.object({
  provider: providerParameter.describe(
    'The provider of the key. An `openrouter` key replaces all the others.',
  ),
});

/** Has its own error messages, which never quote the key. */
export const providerKeySchema = z.strictObject({
  key: z
    .string('must be a string')
    .trim()
    .regex(/^[\x21-\x7e]{8,400}$/, 'must be 8 to 400 printable ASCII characters without spaces')
    .describe(
      'Your key for this provider. Stored encrypted and used only for your own runs on the `byok` lane.',
    ),
});

export const providerKeyShape = z.object({
  provider: providerParameter,
  last4: z.string().describe('The last four characters of the key, the only part that is ever shown.'),
  updated_at: timestamp,
});
export const providerKeyListShape = z.object({ provider_keys: list(providerKeyShape) });

export type ProviderKeyView = z.infer<typeof providerKeyShape>;
