import { z } from 'zod';
import { type ProblemCode, problems } from '../council/problems.js';
import { lane, list } from './parts.js';

const codes = Object.keys(problems).filter((code): code is ProblemCode => code in problems);

/** Any answer outside 2xx (RFC 9457). `code` is what to branch on; the rest of the data depends on it. */
export const problemShape = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(codes),
  request_id: z.string(),
  errors: list(
    z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }),
  ).optional(),
  cost_credits: z.int().optional(),
  balance_credits: z.int().optional(),
  lane: lane.optional(),
  missing: list(z.string()).optional(),
  checks: z.record(z.string(), z.string().nullable()).optional(),
});

export type ProblemView = z.infer<typeof problemShape>;
