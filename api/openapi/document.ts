import type { z } from 'zod';
import { headers } from '../../contract/headers.js';
import type { Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';
import { conditionalHeader } from '../../contract/parameters.js';
import { problemShape } from '../../contract/service.js';
import { webhookEvents } from '../../contract/webhooks/webhook-events.js';
import { introduction, tags } from './introduction.js';
import { isList, jsonSchemas, object } from './json-schema.js';
import { problemCodesOf, problemExamples } from './problems.js';
import { responsesOf } from './responses.js';
import { accessTexts, scopeText, securityOf, securitySchemes } from './security.js';

const exampleRequestId = '0b8c8f6e-4f4c-4b8e-9a51-6f1f6f0a7c11';

/**
 * Generates the OpenAPI 3.1 document from the table of operations, by whose schemas requests are parsed and responses
 * typed, so that no request or response is described twice.
 */
export function createOpenApi(version: string): object {
  return {
    openapi: '3.1.1',
    info: { title: 'Council Report Service', version, description: introduction },
    servers: [{ url: '/' }],
    tags,
    paths: pathsOf(all),
    webhooks: webhooksOf(),
    components: {
      securitySchemes,
      schemas: { ...requests.named, ...responses.named },
      headers: Object.fromEntries(
        Object.entries(headers).map(([key, { name: _name, ...rest }]) => [key, rest]),
      ),
      examples: examplesOfProblems(),
    },
  };
}

const all: readonly (readonly [operationId: string, Operation])[] = Object.entries(operations);

function pathsOf(table: typeof all): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, operation] of table)
    (paths[operation.path] ??= {})[operation.method] = operationObject(id, operation);
  return paths;
}

function operationObject(operationId: string, operation: Operation): object {
  const { tag, summary, access, body } = operation;
  const parameters = places.flatMap(place => parameterObjects(operationId, operation, place));
  return {
    operationId,
    tags: [tag],
    summary,
    description: describe(operation),
    security: securityOf[access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? true,
            content: {
              'application/json': { schema: requests.schemas[operationId], examples: body.examples },
            },
          },
        }),
    responses: responsesOf(operationId, operation, responses.schemas),
  };
}

/** What the service itself sends. Without ids: no caller can name these operations. */
function webhooksOf(): object {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { summary }]) => [
      type,
      {
        post: {
          tags: ['Webhooks'],
          summary,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: responses.schemas[`webhook ${type}`] } },
          },
          responses: { '2XX': { description: 'It arrived. Any other answer is tried again.' } },
        },
      },
    ]),
  );
}

/** Examples of the problems that operations return. `method_not_allowed` is none of them: there is no operation then. */
function examplesOfProblems(): object {
  const codes = new Set(all.flatMap(([, operation]) => problemCodesOf(operation)));
  return Object.fromEntries(
    [...codes].map(code => {
      const value = problemExamples[code].toDocument(exampleRequestId);
      return [code, { summary: value['title'], value }];
    }),
  );
}

function describe({ description, costs = 'Nothing.', access, scope, needs }: Operation): string {
  const needed = [
    accessTexts[access],
    ...(scope === undefined ? [] : [scopeText]),
    ...(needs === undefined ? [] : [needs]),
  ].join(' ');
  return `${description}\n\n**Costs:** ${costs}\n\n**Needs:** ${needed}`;
}

const places = ['path', 'query', 'header'] as const;
type Place = (typeof places)[number];

function parameterObjects(operationId: string, operation: Operation, place: Place): object[] {
  const key = `${operationId} ${place}`;
  const { properties = {} } = responses.schemas[key] ?? {};
  // A parameter with a default may be left out.
  const { required } = requests.schemas[key] ?? {};
  const examples = { ...operation.examples, 'If-None-Match': '"an-etag-of-before"' };
  return Object.entries(object(properties)).map(([name, schema]) => {
    const { description, ...rest } = object(schema);
    const example: string | number | undefined = new Map<string, string | number>(
      Object.entries(examples),
    ).get(name);
    return {
      name,
      in: place,
      required: isList(required) && required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** The parameters of an operation by their place. */
function parametersOf(operationId: string, operation: Operation): [key: string, z.ZodObject][] {
  const header = [
    ...(operation.headers === undefined ? [] : [operation.headers]),
    ...(operation.answers[304] === undefined ? [] : [conditionalHeader]),
  ].reduce<z.ZodObject | undefined>((one, other) => one?.extend(other.shape) ?? other, undefined);
  const groups = { path: operation.parameters, query: operation.query, header };
  return places.flatMap(place => {
    const group = groups[place];
    return group === undefined ? [] : [[`${operationId} ${place}`, group]];
  });
}

const parameters = all.flatMap(([id, operation]) => parametersOf(id, operation));
const requests = jsonSchemas(
  Object.fromEntries([
    ...parameters,
    ...all.flatMap(([id, { body }]) => (body === undefined ? [] : [[id, body.schema] as const])),
  ]),
  'input',
);
/** With the one schema of all problems. Parameters are described as they are after parsing, for example as a number instead of its text. */
const responses = jsonSchemas(
  Object.fromEntries([
    ['problem', problemShape],
    ...Object.entries(webhookEvents).map(([type, { schema }]) => [`webhook ${type}`, schema] as const),
    ...parameters,
    ...all.flatMap(([id, { answers }]) =>
      Object.entries(answers).flatMap(([status, { schema }]: [string, { schema?: z.ZodType }]) =>
        schema === undefined ? [] : [[`${id} ${status}`, schema] as const],
      ),
    ),
  ]),
  'output',
);
