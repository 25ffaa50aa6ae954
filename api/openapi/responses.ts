import type { z } from 'zod';
import { type ProblemCode, problems } from '../../contract/problems.js';
import { type HeaderKey, headers } from './headers.js';
import { type JsonObject, schemaReference } from './json-schema.js';
import type { Operation, SuccessResponse } from './operation.js';
import { problemCodesOf } from './problems.js';

/** All responses of an operation, by status. */
export function responsesOf(
  operation: Operation,
  referenceTo: (shape: z.ZodType) => JsonObject,
): Record<string, object> {
  const general: readonly HeaderKey[] =
    operation.throttled === false
      ? ['X-Request-Id', 'Cache-Control']
      : ['X-Request-Id', 'Cache-Control', 'RateLimit', 'RateLimit-Policy'];
  const codes = problemCodesOf(operation);
  const statuses = [...new Set(codes.map(code => problems[code].status))];
  return Object.fromEntries([
    ...operation.responses.map(
      response => [response.status, successResponse(response, general, referenceTo)] as const,
    ),
    ...statuses.map(status => [status, problemResponse(codes.filter(hasStatus(status)), general)] as const),
  ]);
}

const hasStatus = (status: number) => (code: ProblemCode) => problems[code].status === status;

function successResponse(
  { description, shape, examples = {}, headers: own = [], links }: SuccessResponse,
  general: readonly HeaderKey[],
  referenceTo: (shape: z.ZodType) => JsonObject,
): object {
  return {
    description,
    headers: headerReferences([...general, ...own]),
    ...(shape === undefined
      ? {}
      : { content: { 'application/json': { schema: referenceTo(shape), examples } } }),
    ...(links === undefined ? {} : { links }),
  };
}

/**
 * The problems of one status: each possible code has a line of the description and an example. The schema is the
 * same for all, or a generated client would have a type for each response instead of one to branch on.
 */
function problemResponse(codes: readonly ProblemCode[], general: readonly HeaderKey[]): object {
  const own = [...new Set(codes.flatMap(code => headersOfProblem[problems[code].status] ?? []))];
  return {
    description: codes.map(code => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: headerReferences([...general, ...own]),
    content: {
      'application/problem+json': {
        schema: { $ref: schemaReference('Problem') },
        examples: Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const headersOfProblem: Readonly<Record<number, readonly HeaderKey[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function headerReferences(keys: readonly HeaderKey[]): object {
  return Object.fromEntries(keys.map(key => [headers[key].name, { $ref: `#/components/headers/${key}` }]));
}
