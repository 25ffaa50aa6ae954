import { withTimeout } from '../../net/with-timeout.js';
import { commandLine } from '../groups/command-line.js';
import { type CheckName, checkNames, type Finding, problem } from './finding.js';

export interface Check {
  readonly name: CheckName;
  /** After so long it is given up, and that is its finding. */
  readonly withinMs: number;
  readonly look: () => Promise<readonly Finding[]> | readonly Finding[];
}

/**
 * Makes all checks at once. None waits for another, hides another, or is left out: one that fails or hangs is a finding
 * itself.
 * @param onWaiting told of those that are still awaited, whenever one has answered
 */
export async function runChecks(
  checks: readonly Check[],
  onWaiting: (names: readonly CheckName[]) => void = () => undefined,
): Promise<readonly Finding[]> {
  const waiting = new Set(checks.map(({ name }) => name));
  const findings = await Promise.all(
    checks.map(async check => {
      const found = await runCheck(check);
      waiting.delete(check.name);
      onWaiting([...waiting]);
      return found;
    }),
  );
  const order = Object.keys(checkNames);
  return findings.flat().sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check));
}

async function runCheck({ name, withinMs, look }: Check): Promise<readonly Finding[]> {
  const late = () => new Error(`there was no answer within ${withinMs / 1_000} s`);
  try {
    return await withTimeout(withinMs, Promise.resolve().then(look), late);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      problem(
        name,
        `could not be looked at: ${reason}`,
        `Mend that, and run ${commandLine('doctor')} again.`,
      ),
    ];
  }
}
