import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the compiled command line as a separate process. */
export function council(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
  return startCouncil(args, env).ended;
}

/** The same, for a command that runs until it is asked to end. */
export function startCouncil(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn('node', ['dist/cli/council.js', ...args], {
    // On a terminal, Jest makes its child processes print colours.
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: undefined, NO_COLOR: undefined, ...env },
  });
  const ran = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
  const ended = new Promise<CommandResult>(resolve => child.once('close', code => resolve({ code, ...ran })));
  return { child, ended };
}
