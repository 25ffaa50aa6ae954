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
 * Counts the requests with a valid response. A run with an error exit code, or one that skipped an operation,
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
