import type { z } from 'zod';
import { accountMailOperations } from './account-mail.js';
import { accountOperations } from './accounts.js';
import { batchResultOperations } from './batches/batch-results.js';
import { batchStreamOperations } from './batches/batch-stream.js';
import { batchOperations } from './batches/batches.js';
import { billingOperations } from './billing.js';
import { creditOperations } from './credits.js';
import { eventOperations } from './events.js';
import { keyOperations } from './keys.js';
import type { Operation } from './operation.js';
import { providerKeyOperations } from './provider-keys.js';
import { purchaseOperations } from './purchase.js';
import { reportStreamOperations } from './report-stream.js';
import { reportOperations } from './reports.js';
import { serviceOperations } from './service.js';
import { trackRecordOperations } from './track-record.js';
import { webhookOperations } from './webhooks.js';

/** Every operation of the public API by its id, in the order of the reference. */
export const operations = {
  ...eventOperations,
  ...purchaseOperations,
  ...reportOperations,
  ...reportStreamOperations,
  ...batchOperations,
  ...batchResultOperations,
  ...batchStreamOperations,
  ...trackRecordOperations,
  ...creditOperations,
  ...billingOperations,
  ...keyOperations,
  ...providerKeyOperations,
  ...webhookOperations,
  ...accountOperations,
  ...accountMailOperations,
  ...serviceOperations,
} as const satisfies Readonly<Record<string, Operation>>;

type Operations = typeof operations;

type EndpointOf<Each extends Operation> = `${Uppercase<Each['method']>} ${Each['path']}`;

/** Method and path, with parameters in braces: `GET /api/events/{event_id}`. */
export type Endpoint = { [Id in keyof Operations]: EndpointOf<Operations[Id]> }[keyof Operations];

type OperationAt<Name extends Endpoint> = {
  [Id in keyof Operations]: EndpointOf<Operations[Id]> extends Name ? Operations[Id] : never;
}[keyof Operations];

/** The body of a response with this status; null without one. */
export type BodyOf<Given> = Given extends { readonly schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : null;

/** The bodies of all responses of 2xx. */
export type BodiesOf<Answers> = {
  [Status in keyof Answers]: Status extends 304 | 302 ? never : BodyOf<Answers[Status]>;
}[keyof Answers];

/** The body of every response of 2xx at an endpoint. */
export type AnswerAt<Name extends Endpoint> = BodiesOf<OperationAt<Name>['answers']>;

/**
 * Matches a template such as `/api/reports/{id}` like the routers do: in any letter case, with or without a
 * trailing slash.
 */
export function pathPattern(template: string): RegExp {
  const parts = template
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}/?$`, 'i');
}
