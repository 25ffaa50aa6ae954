import { spawn } from 'node:child_process';
import { type CommandResult, collect } from './council-command.js';

/** Runs commands as an operator types them, in a shell that stops at the first command that fails. */
export function inShell(text: string, env: NodeJS.ProcessEnv): Promise<CommandResult> {
  return collect(spawn('bash', ['-euo', 'pipefail', '-c', text], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
    .ended;
}
