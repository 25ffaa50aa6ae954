import { readdir, readFile } from 'node:fs/promises';
import { runCommand } from './run-command.js';

/**
 * The pids of all processes whose command line (arguments joined by blanks) satisfies the test.
 *
 * Looking at command lines finds what a pid file would miss: a parent killed between starting its child and writing the
 * file. And it never mistakes a recycled pid for a server of ours.
 */
export async function findProcesses(
  matches: (commandLine: string) => boolean,
  platform: NodeJS.Platform = process.platform,
): Promise<number[]> {
  const processes = platform === 'linux' ? await listFromProc() : await listFromPs();
  return processes.filter(([, commandLine]) => matches(commandLine)).map(([pid]) => pid);
}

async function listFromProc(): Promise<[number, string][]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid): Promise<[number, string]> => {
      // A process may end between being listed and being read.
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return [Number(pid), raw.split('\0').join(' ').trim()];
    }),
  );
}

async function listFromPs(): Promise<[number, string][]> {
  const output = await runCommand('ps', ['-axww', '-o', 'pid=,command=']);
  return output.split('\n').map((line): [number, string] => {
    const [, pid = '0', commandLine = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return [Number(pid), commandLine.trim()];
  });
}
