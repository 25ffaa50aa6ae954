import { z } from 'zod';

export interface Results {
  readonly passed: number;
  readonly failed: number;
}

const reportShape = z.object({
  complete: z.boolean(),
  operations: z.object({ total: z.int(), tested: z.int() }),
  test_cases: z.object({
    generated: z.int(),
    with_failures: z.int(),
    without_checks: z.int(),
    errored: z.int(),
  }),
});

/**
 * How many requests were answered as they must be. A run that ended badly without saying why, or that left an operation out,
 * has failed too.
 */
export function resultsOf(report: string, exitCode: number): Results {
  const parsed = reportShape.safeParse(report === '' ? null : JSON.parse(report));
  if (!parsed.success) return { passed: 0, failed: 1 };
  const { complete, operations, test_cases: cases } = parsed.data;
  const counted = cases.with_failures + cases.errored;
  const isWhole = complete && operations.total > 0 && operations.tested === operations.total;
  return {
    passed: cases.generated - cases.without_checks - counted,
    failed: counted === 0 && (exitCode !== 0 || !isWhole) ? 1 : counted,
  };
}
