import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { runCouncil } from '../../../cli/run-council.js';

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs the command line within this process: a process of its own takes a second of CPU to start.
 * @param input its standard input
 */
export async function council(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<CommandResult> {
  const ran = { out: '', err: '' };
  const code = await runCouncil(
    args,
    { ...process.env, ...env },
    {
      stdin: Readable.from([input]),
      stdout: into(text => (ran.out += text)),
      stderr: into(text => (ran.err += text)),
    },
  );
  return { code, ...ran };
}

function into(take: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, written) {
      take(chunk.toString());
      written();
    },
  });
}

/** What a process has written until now, and how it ends. */
export function collect(child: ChildProcessByStdio<Writable | null, Readable, Readable>) {
  const ran = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (ran.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ran.err += chunk.toString()));
  const ended = new Promise<CommandResult>(resolve => child.once('close', code => resolve({ code, ...ran })));
  return { ran, ended };
}

/** Runs the compiled command line as a process of its own: for its signals, pipes and colours. */
export function startCouncil(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn('node', ['dist/cli/council.js', ...args], {
    // On a terminal, Jest makes its child processes print colours.
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: undefined, NO_COLOR: undefined, ...env },
  });
  return { child, ...collect(child) };
}
