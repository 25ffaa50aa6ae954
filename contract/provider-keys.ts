import { z } from 'zod';
import { keyVendors } from '../council/models.js';
import type { Operation } from './operation.js';
import { list, timestamp } from './parts.js';

const providerParameter = z
  .enum(keyVendors, `Unknown provider. Valid values: ${keyVendors.join(', ')}.`)
  .meta({ id: 'Provider' });
const providerKeyParameters = z.object({
  provider: providerParameter.describe(
    'The provider of the key. An `openrouter` key replaces all the others.',
  ),
});

/** Has its own error messages, which never quote the key. */
const providerKeySchema = z
  .strictObject({
    key: z
      .string('must be a string')
      .trim()
      .regex(/^[\x21-\x7e]{8,400}$/, 'must be 8 to 400 printable ASCII characters without spaces')
      .describe(
        'Your key for this provider. Stored encrypted and used only for your own runs on the `byok` lane.',
      ),
  })
  .meta({ id: 'NewProviderKey' });

export const providerKeyShape = z
  .object({
    provider: providerParameter,
    last4: z.string().describe('The last four characters of the key, the only part that is ever shown.'),
    updated_at: timestamp,
  })
  .meta({ id: 'ProviderKey' });
const providerKeyListShape = z
  .object({ provider_keys: list(providerKeyShape) })
  .meta({ id: 'ProviderKeyList' });

export type ProviderKeyView = z.infer<typeof providerKeyShape>;

export const providerKeyOperations = {
  listProviderKeys: {
    method: 'get',
    path: '/api/provider-keys',
    tag: 'Provider keys',
    access: 'session',
    summary: 'List your provider keys',
    description: 'Returns the stored keys by their last four characters.',
    answers: {
      200: { description: 'Every stored key.', schema: providerKeyListShape, examples: { one: 'One key' } },
    },
  },
  getProviderKey: {
    method: 'get',
    path: '/api/provider-keys/{provider}',
    tag: 'Provider keys',
    access: 'session',
    summary: 'Read a provider key',
    description: 'Returns whether a key is stored for this provider, and since when. Never returns the key.',
    parameters: providerKeyParameters,
    examples: { provider: 'openrouter' },
    answers: {
      200: { description: 'The stored key.', schema: providerKeyShape, examples: { stored: 'A stored key' } },
    },
  },
  putProviderKey: {
    method: 'put',
    path: '/api/provider-keys/{provider}',
    tag: 'Provider keys',
    access: 'session',
    summary: 'Store a provider key',
    description:
      'Encrypts and stores the key. Replaces an existing key. Only its last four characters are ever returned. The `byok` lane needs one key per vendor of the council, or one for OpenRouter.',
    costs: 'Nothing. The provider bills runs on the `byok` lane to this key.',
    parameters: providerKeyParameters,
    examples: { provider: 'openrouter' },
    body: {
      schema: providerKeySchema,
      examples: { key: { summary: 'A key for OpenRouter', value: { key: 'sk-or-v1-0000000000009f3c' } } },
    },
    answers: {
      200: {
        description: 'The key was stored.',
        schema: providerKeyShape,
        examples: { stored: 'A stored key' },
      },
    },
  },
  deleteProviderKey: {
    method: 'delete',
    path: '/api/provider-keys/{provider}',
    tag: 'Provider keys',
    access: 'session',
    summary: 'Delete a provider key',
    description:
      'Deletes the key at once. Runs in progress lose it too: their remaining calls to this provider fail.',
    parameters: providerKeyParameters,
    examples: { provider: 'openrouter' },
    answers: { 204: { description: 'The key was deleted.' } },
  },
} as const satisfies Readonly<Record<string, Operation>>;
