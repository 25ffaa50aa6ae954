import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { BatchEvent, Operations, Problem, ReportEvent, WebhookEvent } from '../../client/api-types.js';
import type { AnswerAt as ClientAnswerAt } from '../../client/request-options.js';
import type { BatchEventView } from '../../contract/batches/batch-stream.js';
import type { AnswerAt, Endpoint, operations } from '../../contract/operations.js';
import type { ReportEventView } from '../../contract/report-stream.js';
import type { ProblemView } from '../../contract/service.js';
import type { webhookEvents } from '../../contract/webhooks/webhook-events.js';
import { clientTypes } from '../../tools/generators/client-types/client-types.js';

/** Each can be assigned to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type Table = typeof operations;
type EndpointOf<Id extends keyof Table> = Extract<
  `${Uppercase<Table[Id]['method']>} ${Table[Id]['path']}`,
  Endpoint
>;
type SentBody<Id extends keyof Table> = Table[Id] extends { readonly body: { readonly schema: infer Schema } }
  ? Schema extends z.ZodType
    ? NonNullable<z.input<Schema>>
    : never
  : undefined;
type ClientBody<Name extends Endpoint> = Operations[Name] extends { readonly body?: infer Body }
  ? NonNullable<Body>
  : undefined;
type ParametersOf<Id extends keyof Table> = Table[Id] extends { readonly parameters: infer Schema }
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : never
  : undefined;
type ClientParameters<Name extends Endpoint> = Operations[Name] extends { readonly path: infer Path }
  ? Path
  : undefined;

type SentWebhook = z.output<(typeof webhookEvents)[keyof typeof webhookEvents]['schema']>;

/** The endpoints whose types differ from those of the contract. The compiler refuses the lists below if there are any. */
type Differing = {
  readonly answer: {
    [Name in Endpoint]: Same<AnswerAt<Name>, ClientAnswerAt<Name>> extends true ? never : Name;
  }[Endpoint];
  readonly body: {
    [Id in keyof Table]: Same<SentBody<Id>, ClientBody<EndpointOf<Id>>> extends true ? never : EndpointOf<Id>;
  }[keyof Table];
  readonly path: {
    [Id in keyof Table]: Same<ParametersOf<Id>, ClientParameters<EndpointOf<Id>>> extends true
      ? never
      : EndpointOf<Id>;
  }[keyof Table];
};

const none = <Names>(found: [Names] extends [never] ? 'none' : Names) => expect(found).toBe('none');

describe('the types of the client', () => {
  test('are those of the operation table', () => {
    expect(readFileSync('client/api-types.ts', 'utf8')).toBe(clientTypes());
  });

  test('can be assigned to those of the contract, and those to them', () => {
    none<Differing['answer']>('none');
    none<Differing['body']>('none');
    none<Differing['path']>('none');
    const same: readonly [
      Same<keyof Operations, Endpoint>,
      Same<Problem, ProblemView>,
      Same<ReportEvent, ReportEventView>,
      Same<BatchEvent, BatchEventView>,
      Same<WebhookEvent, SentWebhook>,
    ] = [true, true, true, true, true];
    expect(same).toEqual([true, true, true, true, true]);
  });

  test('name no module and no schema library', () => {
    expect(readFileSync('client/api-types.ts', 'utf8')).not.toMatch(/^import|\bimport\(|\bz\./m);
  });
});
