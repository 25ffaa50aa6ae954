import { z } from 'zod';
import { type ProblemCode, problems } from '../council/problems.js';
import { lane, list } from './parts.js';

const codes = Object.keys(problems).filter((code): code is ProblemCode => code in problems);

/** Any answer outside 2xx (RFC 9457). `code` is what to branch on; the rest of the data depends on it. */
export const problemShape = z.object({
  type: z.string().describe('A URI that names the kind of problem.'),
  title: z.string().describe('The kind of problem in words, the same for every one of a kind.'),
  status: z.int().describe('The HTTP status.'),
  detail: z.string().describe('What went wrong this time, for a person.'),
  code: z.enum(codes).describe('The kind of problem for programs: the field to branch on.'),
  request_id: z.string().describe('Also in `X-Request-Id`. Say it when you ask for help.'),
  errors: list(
    z.object({
      pointer: z.string().optional().describe('JSON pointer into the body, as a URI fragment.'),
      parameter: z.string().optional().describe('Name of a path, query or header parameter.'),
      detail: z.string(),
    }),
  )
    .optional()
    .describe('`invalid_request`: every field or parameter that is wrong.'),
  cost_credits: z.int().optional().describe('`quote_expired`, `insufficient_credits`: the price now.'),
  balance_credits: z.int().optional().describe('`insufficient_credits`: what there is.'),
  lane: lane.optional().describe('`lane_unavailable`: the one that cannot be used.'),
  missing: list(z.string()).optional().describe('`lane_unavailable`: what it needs and does not have.'),
  checks: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe('`unavailable` at `/readyz`: what each part says; null for one that is well.'),
});

export type ProblemView = z.infer<typeof problemShape>;

export const healthShape = z.object({ status: z.literal('ok') });
export const readinessShape = z.object({
  status: z.literal('ready'),
  checks: z.record(z.string(), z.null()).describe('Null for each part that is well.'),
});

/** The description of the whole interface (OpenAPI 3.1). */
export const documentShape = z.looseObject({ openapi: z.string(), info: z.looseObject({}) });
