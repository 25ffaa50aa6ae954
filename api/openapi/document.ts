import type { z } from 'zod';
import { answerShapes, requestSchemas } from './components.js';
import { headers } from './headers.js';
import { introduction, tags } from './introduction.js';
import {
  type JsonObject,
  namedSchemas,
  parameterSchemas,
  requiredParameters,
  schemaReference,
} from './json-schema.js';
import type { Operation, Parameters } from './operation.js';
import { operations } from './operations/index.js';
import { problemExamples } from './problems.js';
import { responsesOf } from './responses.js';
import { accessInWords, securityOf, securitySchemes } from './security.js';

/** A well-formed id of a request, for examples. */
const exampleRequestId = '0b8c8f6e-4f4c-4b8e-9a51-6f1f6f0a7c11';

/**
 * The whole interface as OpenAPI 3.1, out of the very schemas that parse requests and type answers (`contract/`). What a
 * route takes or answers is therefore never described a second time.
 */
export function createOpenApi(version: string): object {
  return {
    openapi: '3.1.1',
    info: { title: 'Council Report Service', version, description: introduction },
    servers: [{ url: '/' }],
    tags,
    paths: pathsOf(operations),
    components: {
      securitySchemes,
      schemas: { ...namedSchemas(answerShapes, 'output'), ...namedSchemas(requestSchemas, 'input') },
      headers: mapValues(headers, ({ description, schema, required }) => ({ description, schema, required })),
      examples: mapValues(problemExamples, problem => ({
        summary: problem.toDocument(exampleRequestId)['title'],
        value: problem.toDocument(exampleRequestId),
      })),
    },
  };
}

function pathsOf(all: readonly Operation[]): object {
  const paths = [...new Set(all.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map(path => [
      path,
      Object.fromEntries(
        all.filter(each => each.path === path).map(each => [each.method, operationObject(each)]),
      ),
    ]),
  );
}

function operationObject(operation: Operation): object {
  const { operationId, tag, summary, access, parameters = [], body } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description: describe(operation),
    security: securityOf[access],
    ...(parameters.length === 0 ? {} : { parameters: parameters.flatMap(parameterObjects) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: referenceTo(body.schema), examples: body.examples } },
          },
        }),
    responses: responsesOf(operation, referenceTo),
  };
}

function describe({ description, costs, access, needs }: Operation): string {
  const needed = [accessInWords[access], ...(needs === undefined ? [] : [needs])].join(' ');
  return `${description}\n\n**Costs:** ${costs}\n\n**Needs:** ${needed}`;
}

function parameterObjects({ in: place, schema: parameters, examples }: Parameters): object[] {
  const required = requiredParameters(parameters);
  return Object.entries(parameterSchemas(parameters)).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}

const names = new Map(
  [answerShapes, requestSchemas].flatMap(shapes =>
    Object.entries(shapes).map(([name, shape]) => [shape, name] as const),
  ),
);

/** @throws for a shape that has no name in `components.ts`: bodies are never written out in place. */
function referenceTo(shape: z.ZodType): JsonObject {
  const name = names.get(shape);
  if (name === undefined) throw new Error('a body has a shape without a name');
  return { $ref: schemaReference(name) };
}

function mapValues<Value, Mapped>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
