import { z } from 'zod';
import { notModified, type Operation } from './operation.js';
import { lane, list, timestamp } from './parts.js';
import { type ProblemCode, problems } from './problems.js';

const codes = Object.keys(problems).filter((code): code is ProblemCode => code in problems);

/** Every response outside 2xx (RFC 9457). The optional fields depend on `code`. */
export const problemShape = z
  .object({
    type: z.string().describe('A URI that identifies the problem type.'),
    title: z.string().describe('A short title, the same for every problem of this type.'),
    status: z.int().describe('The HTTP status code.'),
    detail: z.string().describe('A human-readable explanation of this occurrence.'),
    code: z.enum(codes).describe('The problem type for programs. Branch on this field.'),
    request_id: z
      .string()
      .describe('Identifier of the request, also in `X-Request-Id`. Include it when you contact support.'),
    errors: list(
      z.object({
        pointer: z.string().optional().describe('JSON pointer to the field in the body, as a URI fragment.'),
        parameter: z.string().optional().describe('Name of the path, query or header parameter.'),
        detail: z.string(),
      }),
    )
      .optional()
      .describe('`invalid_request`: every invalid field and parameter.'),
    cost_credits: z.int().optional().describe('`quote_expired`, `insufficient_credits`: the current price.'),
    price_usd_cents: z
      .int()
      .optional()
      .describe('`quote_expired` on the lane `subscription`: the current price in US cents.'),
    balance_credits: z.int().optional().describe('`insufficient_credits`: your balance.'),
    owed_credits: z
      .int()
      .optional()
      .describe('`insufficient_credits`: what you owe. Credits pay for nothing until it is 0.'),
    lane: lane.optional().describe('`lane_unavailable`: the requested lane.'),
    missing: list(z.string()).optional().describe('`lane_unavailable`: what is not set up.'),
    outcome: z
      .literal('unknown')
      .optional()
      .describe(
        '`unavailable` of a purchase or a batch: whether it was charged, or the batch started or changed, could not be determined. Repeat the request, a purchase or a new batch with the same `Idempotency-Key`: it returns what was bought, and charges nothing twice. Without this field, nothing was charged.',
      ),
    resets_at: timestamp.optional().describe('`key_limit_reached_today`: when the key can spend again.'),
    max_credits_per_day: z
      .int()
      .optional()
      .describe('`key_limit_reached_today`: what the key may spend a day.'),
    spent_credits: z.int().optional().describe('`key_limit_reached_today`: what it has spent today.'),
    checks: z
      .record(z.string(), z.string().nullable())
      .optional()
      .describe('`unavailable` at `/readyz`: the error of each component; null if it is healthy.'),
  })
  .meta({ id: 'Problem' });

export type ProblemView = z.infer<typeof problemShape>;

const healthShape = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const readinessShape = z
  .object({
    status: z.literal('ready'),
    checks: z
      .record(z.string(), z.null())
      .describe('The error of each component; null, because all are healthy.'),
  })
  .meta({ id: 'Readiness' });

/** The OpenAPI 3.1 document of the API. */
const documentShape = z
  .looseObject({ openapi: z.string(), info: z.looseObject({}) })
  .meta({ id: 'OpenApiDocument' });

export const serviceOperations = {
  getHealth: {
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    access: 'public',
    summary: 'Check liveness',
    description: 'Returns 200 while the process runs. Does not check the database or Temporal.',
    answers: { 200: { description: 'The process runs.', schema: healthShape, examples: { ok: 'Alive' } } },
  },
  getReadiness: {
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    access: 'public',
    summary: 'Check readiness',
    description:
      'Returns 200 if the database and Temporal are reachable. Otherwise `checks` in the problem document names the fault of each part.',
    answers: {
      200: { description: 'The service is ready.', schema: readinessShape, examples: { ready: 'Ready' } },
    },
    problems: ['unavailable'],
  },
  getOpenApi: {
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    access: 'public',
    summary: 'Read the OpenAPI document',
    description: 'Returns the API as an OpenAPI 3.1 document. `/docs` shows it as a reference.',
    answers: {
      200: {
        description: 'The document.',
        schema: documentShape,
        examples: { beginning: 'The beginning' },
        headers: ['ETag'],
      },
      304: notModified,
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
