import { z } from 'zod';
import { keyVendors } from '../council/models.js';
import { list, timestamp } from './parts.js';

export const providerParameter = z.enum(keyVendors);
export const providerKeyParameters = z.object({
  provider: providerParameter.describe('Whose key it is. One of `openrouter` stands for all the others.'),
});

/** Its messages are ours, so that what is wrong with a key is said without showing any of it. */
export const providerKeySchema = z.strictObject({
  key: z
    .string('must be a text')
    .trim()
    .regex(/^[\x21-\x7e]{8,400}$/, 'must be 8 to 400 printable ASCII characters without spaces')
    .describe(
      'Your key for this provider. Kept encrypted, and used for runs of your own on the `byok` lane only.',
    ),
});

export const providerKeyShape = z.object({
  provider: providerParameter,
  last4: z.string().describe('The last four characters of the key: all of it that is ever shown.'),
  updated_at: timestamp,
});
export const providerKeyListShape = z.object({ provider_keys: list(providerKeyShape) });

export type ProviderKeyView = z.infer<typeof providerKeyShape>;
