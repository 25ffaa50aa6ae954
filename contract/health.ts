import { z } from 'zod';

export const healthShape = z.object({ status: z.literal('ok') });
export const readinessShape = z.object({
  status: z.literal('ready'),
  checks: z.record(z.string(), z.null()),
});
