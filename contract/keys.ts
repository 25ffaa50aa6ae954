import { z } from 'zod';
import { keyScopes } from '../purchase/key-limits.js';
import { keyCreditsPerDayMax, keyEndMaxYears } from '../purchase/limits.js';
import type { Operation } from './operation.js';
import { label, list, timestamp, timestampOrNull } from './parts.js';

const scope = z.enum(keyScopes).meta({ id: 'KeyScope' });

const newKeySchema = z
  .strictObject({
    name: label(100).describe('A label for the key.'),
    scope: scope
      .optional()
      .describe(
        '`spend`, the default: the key also buys. `read`: it reads what the account has, and gets 403 `scope_insufficient` where it would spend.',
      ),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        `From this moment on the key is refused: in the future, within ${keyEndMaxYears} years. Default: no end.`,
      ),
    max_credits_per_day: z
      .int()
      .min(1)
      .max(keyCreditsPerDayMax)
      .optional()
      .describe(
        'The most that the key may spend in a UTC day. A free report of the week counts with its price in credits, a dollar billed to a subscription as 100 credits; a refund gives back what it counted. Default: no limit.',
      ),
  })
  .meta({ id: 'NewApiKey' });

const keyParameters = z.object({
  key_id: z.uuid('There is no key with this id.').describe('Identifier of the key, from `GET /api/keys`.'),
});

const keyFields = {
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().describe('The first characters of the key, for recognition.'),
  created_at: timestamp,
  scope: scope.describe('What the key may do: `read`, or also `spend`.'),
  expires_at: timestampOrNull.describe('From this moment on the key is refused; null without an end.'),
  max_credits_per_day: z
    .int()
    .nullable()
    .describe('The most that the key may spend in a UTC day; null without a limit.'),
  last_used_from: z
    .string()
    .nullable()
    .describe(
      'The network of the last use: the first 24 bits of an IPv4 address, 48 of an IPv6 address. Null if unknown.',
    ),
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

/** As a caller sends it. */
export type SentNewKey = z.input<typeof newKeySchema>;
export type NewKey = z.infer<typeof newKeySchema>;
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
      'Returns the key, once: only its hash is stored. `scope`, `expires_at` and `max_credits_per_day` bound what its holder can do; they never change. An account can have at most 20 live keys; expired ones do not count. Names need not be unique. If the e-mail address of the account is verified, its owner gets a mail, and another when the key is first used from a new network.',
    body: {
      schema: newKeySchema,
      examples: {
        named: { summary: 'Named after its device', value: { name: 'laptop' } },
        limited: {
          summary: 'To hand out: at most 300 credits a day, until spring',
          value: {
            name: 'colleague',
            scope: 'spend',
            expires_at: '2031-03-05T00:00:00Z',
            max_credits_per_day: 300,
          },
        },
        reading: { summary: 'For a dashboard that only reads', value: { name: 'dashboard', scope: 'read' } },
      },
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
    description:
      'Returns the keys that are not revoked, newest first, with their limits, name and first characters. An expired key leaves the list after 30 days.',
    answers: {
      200: {
        description: 'Every key that is not revoked.',
        schema: keyListShape,
        examples: { one: 'One key' },
      },
    },
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
