import { type HeaderKey, headers } from '../../contract/headers.js';
import type { Answer, Operation } from '../../contract/operation.js';
import { type ProblemCode, problems } from '../../contract/problems.js';
import { examplesOf } from './examples.js';
import type { JsonObject } from './json-schema.js';
import { problemCodesOf } from './problems.js';

/**
 * All responses of an operation, by status.
 * @param schemas by operation id and status
 */
export function responsesOf(
  operationId: string,
  operation: Operation,
  schemas: Readonly<Record<string, JsonObject>>,
): Record<string, object> {
  const general: readonly HeaderKey[] =
    operation.throttled === false
      ? ['X-Request-Id', 'Cache-Control']
      : ['X-Request-Id', 'Cache-Control', 'RateLimit', 'RateLimit-Policy'];
  const codes = problemCodesOf(operation);
  const statuses = [...new Set(codes.map(code => problems[code].status))];
  return Object.fromEntries([
    ...Object.entries(operation.answers).map(
      ([status, answer]) =>
        [
          status,
          {
            ...answerObject(answer, general),
            ...contentOf(answer, schemas[`${operationId} ${status}`], operationId),
          },
        ] as const,
    ),
    ...statuses.map(status => [status, problemResponse(codes.filter(hasStatus(status)), general)] as const),
  ]);
}

const hasStatus = (status: number) => (code: ProblemCode) => problems[code].status === status;

function answerObject(
  { description, headers: own = [], links }: Answer,
  general: readonly HeaderKey[],
): object {
  return {
    description,
    headers: headerReferences([...general, ...own]),
    ...(links === undefined ? {} : { links }),
  };
}

function contentOf(
  { examples = {}, isEventStream, files }: Answer,
  schema: JsonObject | undefined,
  operationId: string,
): object {
  // OpenAPI 3.1 cannot say what the events of a stream are: its description does.
  if (isEventStream) return { content: { 'text/event-stream': { schema: { type: 'string' } } } };
  if (files !== undefined) return { content: Object.fromEntries(files.map(type => [type, fileOf(type)])) };
  if (schema === undefined) return {};
  return { content: { 'application/json': { schema, examples: examplesOf(operationId, examples) } } };
}

/** JSON is any object: what is in it, the description says. */
function fileOf(type: string): object {
  return { schema: { type: type === 'application/json' ? 'object' : 'string' } };
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
        schema: { $ref: '#/components/schemas/Problem' },
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
