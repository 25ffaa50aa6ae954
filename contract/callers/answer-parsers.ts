import { z } from 'zod';
import type { AnswerAt, Endpoint } from '../../client/request-options.js';
import type { AnswerParsers, Parse } from '../../client/transport.js';
import type { Operation } from '../operation.js';
import { operations } from '../operations.js';
import { problemShape } from '../service.js';

/** Compares every response with the schema of its operation. */
export const schemaParsers: AnswerParsers = {
  answerTo: <Name extends Endpoint>(endpoint: Name) =>
    parseWith(bodySchemas.get(endpoint) as z.ZodType<AnswerAt<Name>>),
  problem: parseWith(problemShape),
};

/** By endpoint. */
const bodySchemas = new Map<string, z.ZodType>(
  Object.values(operations).map(operation => [
    `${operation.method.toUpperCase()} ${operation.path}`,
    bodySchemaOf(operation),
  ]),
);

/** Any body of 2xx; null where there is none. */
function bodySchemaOf({ answers }: Operation): z.ZodType {
  const schemas = Object.entries(answers)
    .filter(([status]) => Number(status) < 300)
    .map(([, { schema = z.null() }]) => schema);
  return z.union([...new Set(schemas)]);
}

function parseWith<Answer>(shape: z.ZodType<Answer>): Parse<Answer> {
  return json => {
    const parsed = shape.safeParse(json);
    if (parsed.success) return parsed;
    const [issue] = parsed.error.issues;
    const reason = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    return { success: false, reason };
  };
}
