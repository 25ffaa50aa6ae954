import {
  type KeyView,
  keyListShape,
  keyParameters,
  type MintedKeyView,
  mintedKeyShape,
  newKeySchema,
} from '../../../contract/keys.js';
import { apiKeyPrefix } from '../../../council/api-key.js';
import { liveKeysPerAccount } from '../../../council/limits.js';
import type { Operation } from '../operation.js';

const key: KeyView = {
  id: '3e417919-530a-4c24-9ef8-8a6c0fd1cfec',
  name: 'laptop',
  key_prefix: `${apiKeyPrefix}kH7w`,
  created_at: '2026-11-21T09:26:20.100Z',
  last_used_at: '2026-11-21T09:26:42.815Z',
};

/** Not whole, so that nobody takes it for a key that leaked. */
const minted: MintedKeyView = {
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
    summary: 'Mint an API key',
    description: `The answer holds the whole key, this once: only its hash is stored. An account has at most ${liveKeysPerAccount} live ones. A name may be given twice.`,
    costs: 'Nothing.',
    access: 'session',
    body: {
      schema: newKeySchema,
      required: true,
      examples: { named: { summary: 'By where it is used', value: { name: 'laptop' } } },
    },
    answers: [
      {
        status: 201,
        description: 'The key. Store it now.',
        shape: mintedKeyShape,
        examples: { minted: { summary: 'A new key', value: minted } },
        headers: ['Cache-Control'],
        links: {
          Revoke: {
            operationId: 'revokeKey',
            description: 'Takes it back.',
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
    description: 'The live ones, newest first, by name and first characters.',
    costs: 'Nothing.',
    access: 'session',
    answers: [
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
    description: 'It opens nothing from the very next request on. A run that was bought with it goes on.',
    costs: 'Nothing.',
    access: 'session',
    parameters: [{ in: 'path', schema: keyParameters, examples: { key_id: key.id } }],
    answers: [{ status: 204, description: 'Revoked.' }],
  },
];
