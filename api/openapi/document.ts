import { z } from 'zod';
import { enumerations, requestSchemas, responseShapes } from './components.js';
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
import { problemCodesOf, problemExamples } from './problems.js';
import { responsesOf } from './responses.js';
import { accessTexts, securityOf, securitySchemes } from './security.js';

const exampleRequestId = '0b8c8f6e-4f4c-4b8e-9a51-6f1f6f0a7c11';

/**
 * Generates the OpenAPI 3.1 document from the schemas that parse requests and type responses (`contract/`),
 * so that no request or response is described twice.
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
      schemas: {
        ...namedSchemas(responseShapes, 'output'),
        ...namedSchemas(requestSchemas, 'input', enumerations),
      },
      headers: mapValues(headers, ({ description, schema, required }) => ({ description, schema, required })),
      examples: examplesOfProblems(),
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

/** Of the problems that operations return. `method_not_allowed` is not among them: it means that there is none. */
function examplesOfProblems(): object {
  const codes = new Set(operations.flatMap(problemCodesOf));
  return Object.fromEntries(
    [...codes].map(code => {
      const value = problemExamples[code].toDocument(exampleRequestId);
      return [code, { summary: value['title'], value }];
    }),
  );
}

function describe({ description, costs, access, needs }: Operation): string {
  const needed = [accessTexts[access], ...(needs === undefined ? [] : [needs])].join(' ');
  return `${description}\n\n**Costs:** ${costs}\n\n**Needs:** ${needed}`;
}

function parameterObjects({ in: place, schema: parameters, examples }: Parameters): object[] {
  const required = requiredParameters(parameters);
  return Object.entries(parameterSchemas(parameters, enumerations)).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
    }),
  );
}

const names = new Map(
  [responseShapes, requestSchemas].flatMap(shapes =>
    Object.entries(shapes).map(([name, shape]): [unknown, string] => [shape, name]),
  ),
);

/** Bodies are always named, and may be `null`. @throws Error for a shape that is not in `components.ts` */
function referenceTo(shape: z.ZodType): JsonObject {
  if (shape instanceof z.ZodNullable) return { anyOf: [referenceToNamed(shape.unwrap()), { type: 'null' }] };
  return referenceToNamed(shape);
}

function referenceToNamed(shape: unknown): JsonObject {
  const name = names.get(shape);
  if (name === undefined) throw new Error('a body has a shape that components.ts does not name');
  return { $ref: schemaReference(name) };
}

function mapValues<Value, Mapped>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
