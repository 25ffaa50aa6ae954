import { z } from 'zod';

export const healthShape = z.object({ status: z.literal('ok') });
export const readinessShape = z.object({
  status: z.literal('ready'),
  checks: z.record(z.string(), z.null()).describe('Null for each part that is well.'),
});

/** The description of the whole interface (OpenAPI 3.1). */
export const documentShape = z.looseObject({ openapi: z.string(), info: z.looseObject({}) });
