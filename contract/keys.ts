import { z } from 'zod';
import type { Operation } from './operation.js';
import { list, text, timestamp, timestampOrNull } from './parts.js';

const noControls = '[^\\u0000-\\u001f\\u007f-\\u009f]*';
/** The same pattern without Unicode classes, which not every JSON Schema reader supports. */
const publishedName = `^${noControls}[^\\s\\u0000-\\u001f\\u007f-\\u009f]${noControls}$`;

const newKeySchema = z
  .strictObject({
    name: text(100)
      .regex(/^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$/u, 'must not be blank or contain control characters')
      .trim()
      .meta({ pattern: publishedName, description: 'A label for the key.' }),
  })
  .meta({ id: 'NewApiKey' });

const keyParameters = z.object({
  key_id: z
    .uuid('There is no live key with this id.')
    .describe('Identifier of the key, from `GET /api/keys`.'),
});

const keyFields = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().describe('The first characters of the key, for recognition.'),
  created_at: timestamp,
};

/** The only response that contains the key. */
export const mintedKeyShape = z
  .object({
    ...keyFields,
    key: z.string().describe('The API key. Shown only once, because the service stores only its hash.'),
    warning: z.string(),
  })
  .meta({ id: 'MintedApiKey' });
export const keyShape = z
  .object({
    ...keyFields,
    last_used_at: timestampOrNull.describe('Updated at most once per minute.'),
  })
  .meta({ id: 'ApiKey' });
const keyListShape = z.object({ keys: list(keyShape) }).meta({ id: 'ApiKeyList' });

export type MintedKeyView = z.infer<typeof mintedKeyShape>;
export type KeyView = z.infer<typeof keyShape>;

export const keyOperations = {
  mintKey: {
    method: 'post',
    path: '/api/keys',
    tag: 'API keys',
    access: 'session',
    summary: 'Create an API key',
    description:
      'Returns the key, once: only its hash is stored. An account can have at most 20 live keys. Names need not be unique.',
    body: {
      schema: newKeySchema,
      examples: { named: { summary: 'Named after its device', value: { name: 'laptop' } } },
    },
    answers: {
      201: {
        description: 'The new key. Store it now.',
        schema: mintedKeyShape,
        examples: { minted: 'A new key' },
        links: {
          Revoke: {
            operationId: 'revokeKey',
            description: 'Revokes the key.',
            parameters: { key_id: '$response.body#/id' },
          },
        },
      },
    },
    problems: ['key_limit_reached'],
  },
  listKeys: {
    method: 'get',
    path: '/api/keys',
    tag: 'API keys',
    access: 'session',
    summary: 'List your API keys',
    description: 'Returns the live keys, newest first, with their name and first characters.',
    answers: { 200: { description: 'Every live key.', schema: keyListShape, examples: { one: 'One key' } } },
  },
  revokeKey: {
    method: 'delete',
    path: '/api/keys/{key_id}',
    tag: 'API keys',
    access: 'session',
    summary: 'Revoke an API key',
    description: 'Revokes the key at once. Runs that were bought with it continue.',
    parameters: keyParameters,
    examples: { key_id: '3e417919-530a-4c24-9ef8-8a6c0fd1cfec' },
    answers: { 204: { description: 'The key was revoked.' } },
  },
} as const satisfies Readonly<Record<string, Operation>>;
