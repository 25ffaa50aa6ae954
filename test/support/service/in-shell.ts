import { spawn } from 'node:child_process';

export interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs commands as an operator types them, in a shell that stops at the first command that fails. */
export function inShell(text: string, env: NodeJS.ProcessEnv): Promise<Told> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  return new Promise(resolve => child.once('close', code => resolve({ code, out, err })));
}
