import {
  type ProviderKeyView,
  providerKeyListShape,
  providerKeyParameters,
  providerKeySchema,
  providerKeyShape,
} from '../../../contract/provider-keys.js';
import type { Operation, Parameters } from '../operation.js';

const stored: ProviderKeyView = {
  provider: 'openrouter',
  last4: '9f3c',
  updated_at: '2026-11-21T09:26:20.100Z',
};

const which: Parameters = {
  in: 'path',
  schema: providerKeyParameters,
  examples: { provider: stored.provider },
};
const examples = { stored: { summary: 'A stored key', value: stored } };

export const providerKeyOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/provider-keys',
    operationId: 'listProviderKeys',
    tag: 'Provider keys',
    summary: 'List your provider keys',
    description: 'Which ones are stored, by their last four characters.',
    costs: 'Nothing.',
    access: 'session',
    answers: [
      {
        status: 200,
        description: 'Every stored key.',
        shape: providerKeyListShape,
        examples: { one: { summary: 'One key', value: { provider_keys: [stored] } } },
        headers: ['Cache-Control'],
      },
    ],
  },
  {
    method: 'get',
    path: '/api/provider-keys/{provider}',
    operationId: 'getProviderKey',
    tag: 'Provider keys',
    summary: 'Read about a provider key',
    description: 'Whether one is stored for this provider, and since when.',
    costs: 'Nothing.',
    access: 'session',
    parameters: [which],
    answers: [
      {
        status: 200,
        description: 'It is stored.',
        shape: providerKeyShape,
        examples,
        headers: ['Cache-Control'],
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
      'Kept encrypted, in place of one that was there, and never shown again but for its last four characters. The `byok` lane needs one for each vendor of the council, or one for OpenRouter.',
    costs: 'Nothing. Runs on the `byok` lane are billed to it by the provider.',
    access: 'session',
    parameters: [which],
    body: {
      schema: providerKeySchema,
      required: true,
      examples: { key: { summary: 'A key of OpenRouter', value: { key: 'sk-or-v1-0000000000009f3c' } } },
    },
    answers: [
      { status: 200, description: 'Stored.', shape: providerKeyShape, examples, headers: ['Cache-Control'] },
    ],
  },
  {
    method: 'delete',
    path: '/api/provider-keys/{provider}',
    operationId: 'deleteProviderKey',
    tag: 'Provider keys',
    summary: 'Delete a provider key',
    description: 'It is gone at once, also for a run under way: what that run has not asked yet drops out.',
    costs: 'Nothing.',
    access: 'session',
    parameters: [which],
    answers: [{ status: 204, description: 'Deleted.', headers: ['Cache-Control'] }],
  },
];
