import { withTimeout } from '../../platform/net/with-timeout.js';
import { commandLine } from '../terminal/command-line.js';
import { type CheckName, checkNames, type Finding, problem, type Result } from './finding.js';

type Results = Result | readonly Result[];

export interface Check {
  readonly name: CheckName;
  readonly timeoutMs: number;
  readonly run: () => Results | Promise<Results>;
}

/**
 * Runs all checks at the same time. A check that fails or times out becomes a problem itself, and delays no other.
 * @param onWaiting called with the checks still running, each time one has finished
 */
export async function runChecks(
  checks: readonly Check[],
  onWaiting: (names: readonly CheckName[]) => void = () => undefined,
): Promise<readonly Finding[]> {
  const waiting = new Set(checks.map(({ name }) => name));
  const findings = await Promise.all(
    checks.map(async check => {
      const results = [await runCheck(check)].flat();
      waiting.delete(check.name);
      onWaiting([...waiting]);
      return results.map(result => ({ check: check.name, ...result }));
    }),
  );
  const order = Object.keys(checkNames);
  return findings.flat().sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check));
}

async function runCheck({ timeoutMs, run }: Check): Promise<Results> {
  const timeout = () => new Error(`no answer within ${timeoutMs / 1_000} s`);
  try {
    return await withTimeout(timeoutMs, Promise.resolve().then(run), timeout);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(`check failed: ${reason}`, `Fix that, and run ${commandLine('doctor')} again.`);
  }
}
