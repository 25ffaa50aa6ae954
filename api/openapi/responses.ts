import type { z } from 'zod';
import { type ProblemCode, problems } from '../../council/problems.js';
import { type HeaderKey, headers } from './headers.js';
import { type JsonObject, schemaReference } from './json-schema.js';
import type { Answer, Operation } from './operation.js';
import { problemCodesOf } from './problems.js';

/** Everything that an operation can answer, by status. */
export function responsesOf(
  operation: Operation,
  referenceTo: (shape: z.ZodType) => JsonObject,
): Record<string, object> {
  const general: readonly HeaderKey[] =
    operation.throttled === false ? ['X-Request-Id'] : ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
  const codes = problemCodesOf(operation);
  const statuses = [...new Set(codes.map(code => problems[code].status))];
  return Object.fromEntries([
    ...operation.answers.map(answer => [answer.status, success(answer, general, referenceTo)] as const),
    ...statuses.map(status => [status, refusal(codes.filter(hasStatus(status)), general)] as const),
  ]);
}

const hasStatus = (status: number) => (code: ProblemCode) => problems[code].status === status;

function success(
  { description, shape, examples = {}, headers: own = [], links }: Answer,
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

/** The problems of one status. Its schema says which codes there can be, and each has its example. */
function refusal(codes: readonly ProblemCode[], general: readonly HeaderKey[]): object {
  const own = [...new Set(codes.flatMap(code => headersOfProblem[problems[code].status] ?? []))];
  return {
    description: codes.map(code => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: headerReferences([...general, ...own]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: schemaReference('Problem') },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
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
