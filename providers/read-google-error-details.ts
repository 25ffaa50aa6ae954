import { z } from 'zod';

/**
 * What Gemini's errors say beside the status, from the list at `error.details`. Of any other format: nothing.
 *
 * @returns The error code that `classify-http-failure` knows, and the delay that was asked for.
 */
export function readGoogleErrorDetails(details: unknown): GoogleErrorDetails {
  const read = detailsShape.parse(details);
  // A quota of the day comes back tomorrow, whatever delay stands beside it.
  const daily = read.some(detail => detail.violations.some(({ quotaId }) => /PerDay/i.test(quotaId)));
  return {
    code: daily ? 'insufficient_quota' : (read.find(({ reason }) => reason !== undefined)?.reason ?? null),
    retryDelay: read.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay ?? null,
  };
}

interface GoogleErrorDetails {
  readonly code: string | null;
  readonly retryDelay: string | null;
}

const detailsShape = z
  .array(
    z.object({
      reason: z.string().optional(),
      retryDelay: z.string().optional(),
      violations: z.array(z.object({ quotaId: z.string().default('') })).default([]),
    }),
  )
  .catch([]);
