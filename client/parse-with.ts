import type { z } from 'zod';
import { problemShape } from '../contract/service.js';
import type { Parse } from './http-client.js';

/** Parses responses by a schema of `contract/`. */
export function parseWith<Answer>(shape: z.ZodType<Answer>): Parse<Answer> {
  return json => {
    const parsed = shape.safeParse(json);
    if (parsed.success) return parsed;
    const [issue] = parsed.error.issues;
    const reason = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    return { success: false, reason };
  };
}

export const parseProblem = parseWith(problemShape);
