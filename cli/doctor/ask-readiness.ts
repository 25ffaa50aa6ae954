import { z } from 'zod';

const checksShape = z.object({ checks: z.record(z.string(), z.string().nullable()) });

/** What is wrong with each part of the service; null is nothing. */
export type Readiness = Readonly<Record<string, string | null>>;

const answerWithinMs = 4_000;

/** Asks `/readyz`. `absent`: nobody answers there. `stranger`: whoever answers is not this service. */
export async function askReadiness(url: string): Promise<Readiness | 'absent' | 'stranger'> {
  let response: Response;
  try {
    response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(answerWithinMs) });
  } catch {
    return 'absent';
  }
  const parsed = checksShape.safeParse(await response.json().catch(() => null));
  return parsed.success ? parsed.data.checks : 'stranger';
}
