import { z } from 'zod';
import {
  webhookLabelMaxChars,
  webhookSecretKeptHours,
  webhookSendsPerMinute,
  webhooksPerAccount,
} from '../purchase/limits.js';
import {
  deliveryStatuses,
  webhookDisabledReasons,
  webhookStatuses,
  webhookTypes,
} from '../purchase/webhooks.js';
import type { Operation } from './operation.js';
import { pagingParameters } from './parameters.js';
import { count, label, list, page, text, timestamp, timestampOrNull } from './parts.js';

const type = z.enum(webhookTypes).meta({ id: 'WebhookType' });
const status = z.enum(webhookStatuses).meta({ id: 'WebhookStatus' });
const disabledReason = z.enum(webhookDisabledReasons).meta({ id: 'WebhookDisabledReason' });
const deliveryStatus = z.enum(deliveryStatuses).meta({ id: 'WebhookDeliveryStatus' });

const url = text(2_000).describe(
  'An `https://` address of a public host, without user, password and fragment. Redirects are not followed.',
);
const types = z
  .array(type)
  .min(1)
  .readonly()
  .describe('What to send. Types that nothing has yet, such as those of batches, are sent once it has.');
const description = label(webhookLabelMaxChars).describe('A label for the webhook.');

const newWebhookSchema = z
  .strictObject({ url, types, description: description.optional() })
  .meta({ id: 'NewWebhook' });

const webhookChangesSchema = z
  .strictObject({
    url: url.optional(),
    types: types.optional(),
    description: description.nullable().optional(),
    status: status
      .optional()
      .describe('`disabled` sends nothing until it is `active` again; what is open then ends as failed.'),
  })
  .meta({ id: 'WebhookChanges' });

const webhookParameter = z
  .uuid('There is no webhook with this id.')
  .describe('Identifier of the webhook, from `GET /api/webhooks`.');
const webhookParameters = z.object({ id: webhookParameter });
const deliveryParameters = z.object({
  id: webhookParameter,
  delivery_id: z
    .uuid('There is no delivery with this id.')
    .describe('Identifier of the delivery, which its receiver gets as `webhook-id`.'),
});

const webhookShape = z
  .object({
    id: z.string(),
    url: z.string(),
    types: list(type),
    description: z.string().nullable(),
    status,
    disabled_reason: disabledReason
      .nullable()
      .describe('`asked`: by you; `gone`: it answered 410; `failing`: a delivery failed at its last try.'),
    created_at: timestamp,
    last_delivery_at: timestampOrNull.describe('When it last answered with a status of 2xx.'),
  })
  .meta({ id: 'Webhook' });

const secret = z
  .string()
  .describe('`whsec_` and base64 of 32 bytes. Shown only once. It signs every delivery (Standard Webhooks).');
const createdWebhookShape = z.object({ webhook: webhookShape, secret }).meta({ id: 'CreatedWebhook' });
const webhookSecretShape = z.object({ secret }).meta({ id: 'WebhookSecret' });
const webhookListShape = z.object({ webhooks: list(webhookShape) }).meta({ id: 'WebhookList' });

const startedDeliveryShape = z
  .object({ delivery_id: z.string().describe('Its receiver gets it as `webhook-id`.') })
  .meta({ id: 'StartedWebhookDelivery' });

const attemptShape = z
  .object({
    at: timestamp,
    status_code: z.int().nullable().describe('The HTTP status of the answer; null without one.'),
    error: z.string().nullable().describe('Why no answer came, as a sentence; null with one.'),
    excerpt: z
      .string()
      .nullable()
      .describe('The beginning of the answer’s body, at most 200 bytes; null without an answer.'),
  })
  .meta({ id: 'WebhookAttempt' });

const deliveryShape = z
  .object({
    id: z.string().describe('The `webhook-id` of all its tries.'),
    type,
    created_at: timestamp,
    status: deliveryStatus,
    attempts: list(attemptShape).describe('The last tries, oldest first.'),
    next_attempt_at: timestampOrNull.describe('When it is tried next; null once it has ended.'),
  })
  .meta({ id: 'WebhookDelivery' });

const deliveryListShape = z
  .object({ deliveries: list(deliveryShape), ...page, total: count })
  .meta({ id: 'WebhookDeliveryList' });

export type WebhookChanges = z.infer<typeof webhookChangesSchema>;
export type WebhookView = z.infer<typeof webhookShape>;
export type WebhookDeliveryView = z.infer<typeof deliveryShape>;

const webhookId = '0c1b7a52-6f0e-4f5d-9d8b-5d0a3c7e2f41';
const deliveryId = '5f9d3c1e-2b7a-4e0c-8a66-1d4b9e7c3a20';

export const webhookOperations = {
  createWebhook: {
    method: 'post',
    path: '/api/webhooks',
    tag: 'Webhooks',
    access: 'session',
    summary: 'Create a webhook',
    description: `Returns the webhook with its secret, once. An account can have at most ${webhooksPerAccount}. An address that is not public is an \`invalid_request\`. Types are sent once each, whatever the list repeats.`,
    body: {
      schema: newWebhookSchema,
      examples: {
        reports: {
          summary: 'To be told when reports end and are graded',
          value: {
            url: 'https://hooks.example.com/council',
            types: ['report.completed', 'report.failed', 'report.graded'],
            description: 'production',
          },
        },
      },
    },
    answers: {
      201: {
        description: 'The new webhook. Store its secret now.',
        schema: createdWebhookShape,
        examples: { created: 'A new webhook' },
        links: {
          Test: {
            operationId: 'testWebhook',
            description: 'Sends `webhook.test` to it.',
            parameters: { id: '$response.body#/webhook/id' },
          },
          Delete: {
            operationId: 'deleteWebhook',
            description: 'Deletes the webhook.',
            parameters: { id: '$response.body#/webhook/id' },
          },
        },
      },
    },
  },
  listWebhooks: {
    method: 'get',
    path: '/api/webhooks',
    tag: 'Webhooks',
    access: 'session',
    summary: 'List your webhooks',
    description: 'Returns every webhook, newest first, and why one is disabled. Never returns a secret.',
    answers: {
      200: { description: 'Every webhook.', schema: webhookListShape, examples: { one: 'One webhook' } },
    },
  },
  updateWebhook: {
    method: 'patch',
    path: '/api/webhooks/{id}',
    tag: 'Webhooks',
    access: 'session',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are sent. A new `url` is checked as at creation; deliveries that are open go there. `status: active` enables a webhook that was disabled, for whatever reason. What happened meanwhile is not sent.',
    parameters: webhookParameters,
    examples: { id: webhookId },
    body: {
      schema: webhookChangesSchema,
      examples: {
        enable: { summary: 'Enable it again', value: { status: 'active' } },
        move: { summary: 'Another address', value: { url: 'https://hooks.example.com/v2' } },
      },
    },
    answers: {
      200: { description: 'The changed webhook.', schema: webhookShape, examples: { changed: 'A webhook' } },
    },
  },
  deleteWebhook: {
    method: 'delete',
    path: '/api/webhooks/{id}',
    tag: 'Webhooks',
    access: 'session',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook with its secrets and deliveries. Nothing more is sent to it.',
    parameters: webhookParameters,
    examples: { id: webhookId },
    answers: { 204: { description: 'The webhook was deleted.' } },
  },
  rotateWebhookSecret: {
    method: 'post',
    path: '/api/webhooks/{id}/secret',
    tag: 'Webhooks',
    access: 'session',
    summary: 'Rotate the secret of a webhook',
    description: `Returns a new secret, once. For ${webhookSecretKeptHours} hours every delivery is signed with it and with the one before, so that receivers can change over. A further rotation within this time ends the older of the two at once: rotate twice if others know the secret.`,
    parameters: webhookParameters,
    examples: { id: webhookId },
    answers: {
      200: {
        description: 'The new secret. Store it now.',
        schema: webhookSecretShape,
        examples: { rotated: 'A new secret' },
      },
    },
  },
  testWebhook: {
    method: 'post',
    path: '/api/webhooks/{id}/test',
    tag: 'Webhooks',
    access: 'session',
    summary: 'Test a webhook',
    description: `Sends \`webhook.test\`, whatever types the webhook has. Its delivery says what came of it. A disabled webhook is an \`invalid_request\`. At most ${webhookSendsPerMinute} tests and repeated deliveries a minute and account.`,
    parameters: webhookParameters,
    examples: { id: webhookId },
    answers: {
      202: {
        description: 'It is being sent. Read the deliveries after `Retry-After`.',
        schema: startedDeliveryShape,
        examples: { started: 'A test' },
        headers: ['Retry-After'],
        links: {
          Repeat: {
            operationId: 'repeatWebhookDelivery',
            description: 'Sends it again.',
            parameters: { id: '$request.path.id', delivery_id: '$response.body#/delivery_id' },
          },
        },
      },
    },
    problems: ['invalid_request'],
  },
  listWebhookDeliveries: {
    method: 'get',
    path: '/api/webhooks/{id}/deliveries',
    tag: 'Webhooks',
    access: 'session',
    summary: 'List the deliveries of a webhook',
    description: 'Returns the deliveries of the last 30 days, newest first, with what came of each try.',
    parameters: webhookParameters,
    query: z.object(pagingParameters),
    examples: { id: webhookId, page: 1, per_page: 20 },
    answers: {
      200: {
        description: 'One page of deliveries.',
        schema: deliveryListShape,
        examples: { two: 'One that arrived, and one that is tried again' },
      },
    },
  },
  repeatWebhookDelivery: {
    method: 'post',
    path: '/api/webhooks/{id}/deliveries/{delivery_id}',
    tag: 'Webhooks',
    access: 'session',
    summary: 'Send a delivery again',
    description: `Sends it again at once with the same \`webhook-id\` and body, whether it arrived or not. A disabled webhook is an \`invalid_request\`. At most ${webhookSendsPerMinute} tests and repeated deliveries a minute and account.`,
    parameters: deliveryParameters,
    examples: { id: webhookId, delivery_id: deliveryId },
    answers: {
      202: {
        description: 'It is being sent. Read the deliveries after `Retry-After`.',
        schema: startedDeliveryShape,
        examples: { started: 'A repeated delivery' },
        headers: ['Retry-After'],
      },
    },
    problems: ['invalid_request'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
