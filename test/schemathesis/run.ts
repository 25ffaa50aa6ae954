import { spawn } from 'node:child_process';

/**
 * Runs a program with inherited output.
 * @returns its exit code; 1 when it could not be started or was killed
 */
export function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
    child.once('error', error => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', code => resolve(code ?? 1));
  });
}
