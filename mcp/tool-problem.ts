import { z } from 'zod';
import { problemShape } from '../contract/problems.js';
import { nextStepOf } from './next-steps.js';
import type { ToolProblemCode } from './tool-problem-code.js';
import { toolProblemCodes } from './tool-problem-code.js';

/** What a caller can act on, besides the code: the data of the API's problem documents, and the tools' own. */
const dataShape = problemShape
  .pick({
    request_id: true,
    errors: true,
    cost_credits: true,
    balance_credits: true,
    lane: true,
    missing: true,
    checks: true,
  })
  .partial()
  .extend({
    max_credits: z.int().optional(),
    price_usd_cents: z.int().optional(),
    retry_after_seconds: z.int().optional(),
  });

export type ToolProblemData = z.infer<typeof dataShape>;

/** The structured content of every answer that is an error. */
export const toolProblemShape = z.object({
  code: z.enum(toolProblemCodes),
  detail: z.string(),
  next_step: z.string(),
  ...dataShape.shape,
});

/** Why a tool did not do what it was asked. Thrown anywhere below a tool; answered in one place. */
export class ToolProblem extends Error {
  readonly code: ToolProblemCode;
  readonly data: ToolProblemData;

  constructor(code: ToolProblemCode, detail: string, data: ToolProblemData = {}) {
    super(detail);
    this.name = 'ToolProblem';
    this.code = code;
    this.data = data;
  }

  toDocument(): z.infer<typeof toolProblemShape> {
    const next_step = nextStepOf(this.code, this.data);
    return { code: this.code, detail: this.message, next_step, ...this.data };
  }
}
