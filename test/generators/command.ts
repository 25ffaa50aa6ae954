import { spawn } from 'node:child_process';

/** A program with its arguments, the folder it runs in and what it finds in its environment besides ours. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program. Its standard error goes to ours.
 * @returns its standard output
 * @throws Error with that output if it could not be started or did not end with 0
 */
export function outputOf({ program, args, folder, env = {} }: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder ?? '.',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', error => reject(new Error(`${program} does not start: ${error.message}`)));
    child.once('close', code => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code}\n${output}`));
    });
  });
}
