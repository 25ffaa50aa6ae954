import { test } from '@jest/globals';

/**
 * Stands for tests that need a program which this machine does not have: they are skipped with a message. Where CI demands
 * the program they fail instead, so that CI cannot skip them unnoticed.
 * @param tool such as `a browser`
 * @param reason what is missing, and how to get it
 */
export function withoutTool(
  name: string,
  { tool, reason, isRequired }: { tool: string; reason: string; isRequired: boolean },
): void {
  if (isRequired) {
    test(`there is ${tool}`, () => {
      throw new Error(reason);
    });
    return;
  }
  process.stderr.write(`${name}: skipped, ${reason}\n`);
  test.skip(reason, () => undefined);
}
