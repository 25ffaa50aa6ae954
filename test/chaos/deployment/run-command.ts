import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a compiled module to its end. Asynchronously, because its connections go through links of this
 * process.
 */
export function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const child = spawn('node', [...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return new Promise(resolve => child.once('close', code => resolve({ code, output })));
}
