import {
  type KeyView,
  keyListShape,
  keyParameters,
  type MintedKeyView,
  mintedKeyShape,
  newKeySchema,
} from '../../../contract/keys.js';
import {
  type ProviderKeyView,
  providerKeyListShape,
  providerKeyParameters,
  providerKeySchema,
  providerKeyShape,
} from '../../../contract/provider-keys.js';
import { apiKeyPrefix } from '../../../purchase/api-key.js';
import { liveKeysPerAccount } from '../../../purchase/limits.js';
import type { Operation, Parameters } from '../operation.js';

const key: KeyView = {
  id: '3e417919-530a-4c24-9ef8-8a6c0fd1cfec',
  name: 'laptop',
  key_prefix: `${apiKeyPrefix}kH7w`,
  created_at: '2026-11-21T09:26:20.100Z',
  last_used_at: '2026-11-21T09:26:42.815Z',
};

/** Incomplete, so that scanners do not report a leaked key. */
const mintedExample: MintedKeyView = {
  id: key.id,
  name: key.name,
  key_prefix: key.key_prefix,
  created_at: key.created_at,
  key: `${key.key_prefix}…`,
  warning: 'Store this key now: it cannot be shown again.',
};

export const keyOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/keys',
    operationId: 'mintKey',
    tag: 'API keys',
    summary: 'Create an API key',
    description: `Returns the key, once: only its hash is stored. An account can have at most ${liveKeysPerAccount} live keys. Names need not be unique.`,
    costs: 'Nothing.',
    access: 'session',
    body: {
      schema: newKeySchema,
      required: true,
      examples: { named: { summary: 'Named after its device', value: { name: 'laptop' } } },
    },
    responses: [
      {
        status: 201,
        description: 'The new key. Store it now.',
        shape: mintedKeyShape,
        examples: { minted: { summary: 'A new key', value: mintedExample } },
        links: {
          Revoke: {
            operationId: 'revokeKey',
            description: 'Revokes the key.',
            parameters: { key_id: '$response.body#/id' },
          },
        },
      },
    ],
    problems: ['key_limit_reached'],
  },
  {
    method: 'get',
    path: '/api/keys',
    operationId: 'listKeys',
    tag: 'API keys',
    summary: 'List your API keys',
    description: 'Returns the live keys, newest first, with their name and first characters.',
    costs: 'Nothing.',
    access: 'session',
    responses: [
      {
        status: 200,
        description: 'Every live key.',
        shape: keyListShape,
        examples: { one: { summary: 'One key', value: { keys: [key] } } },
      },
    ],
  },
  {
    method: 'delete',
    path: '/api/keys/{key_id}',
    operationId: 'revokeKey',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'Revokes the key at once. Runs that were bought with it continue.',
    costs: 'Nothing.',
    access: 'session',
    parameters: [{ in: 'path', schema: keyParameters, examples: { key_id: key.id } }],
    responses: [{ status: 204, description: 'The key was revoked.' }],
  },
];

const stored: ProviderKeyView = {
  provider: 'openrouter',
  last4: '9f3c',
  updated_at: '2026-11-21T09:26:20.100Z',
};

const providerParameters: Parameters = {
  in: 'path',
  schema: providerKeyParameters,
  examples: { provider: stored.provider },
};
const storedExamples = { stored: { summary: 'A stored key', value: stored } };

export const providerKeyOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/provider-keys',
    operationId: 'listProviderKeys',
    tag: 'Provider keys',
    summary: 'List your provider keys',
    description: 'Returns the stored keys by their last four characters.',
    costs: 'Nothing.',
    access: 'session',
    responses: [
      {
        status: 200,
        description: 'Every stored key.',
        shape: providerKeyListShape,
        examples: { one: { summary: 'One key', value: { provider_keys: [stored] } } },
      },
    ],
  },
  {
    method: 'get',
    path: '/api/provider-keys/{provider}',
    operationId: 'getProviderKey',
    tag: 'Provider keys',
    summary: 'Read a provider key',
    description: 'Returns whether a key is stored for this provider, and since when. Never returns the key.',
    costs: 'Nothing.',
    access: 'session',
    parameters: [providerParameters],
    responses: [
      {
        status: 200,
        description: 'The stored key.',
        shape: providerKeyShape,
        examples: storedExamples,
      },
    ],
  },
  {
    method: 'put',
    path: '/api/provider-keys/{provider}',
    operationId: 'putProviderKey',
    tag: 'Provider keys',
    summary: 'Store a provider key',
    description:
      'Encrypts and stores the key. Replaces an existing key. Only its last four characters are ever returned. The `byok` lane needs one key per vendor of the council, or one for OpenRouter.',
    costs: 'Nothing. The provider bills runs on the `byok` lane to this key.',
    access: 'session',
    parameters: [providerParameters],
    body: {
      schema: providerKeySchema,
      required: true,
      examples: { key: { summary: 'A key for OpenRouter', value: { key: 'sk-or-v1-0000000000009f3c' } } },
    },
    responses: [
      {
        status: 200,
        description: 'The key was stored.',
        shape: providerKeyShape,
        examples: storedExamples,
      },
    ],
  },
  {
    method: 'delete',
    path: '/api/provider-keys/{provider}',
    operationId: 'deleteProviderKey',
    tag: 'Provider keys',
    summary: 'Delete a provider key',
    description:
      'Deletes the key at once. Runs in progress lose it too: their remaining calls to this provider fail.',
    costs: 'Nothing.',
    access: 'session',
    parameters: [providerParameters],
    responses: [{ status: 204, description: 'The key was deleted.' }],
  },
];
