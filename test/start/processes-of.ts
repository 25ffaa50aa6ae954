import { allPids, readProc } from '../support/machine/proc.js';

/**
 * The processes of a COUNCIL_HOME: its path is in their command line or environment.
 * @param running part of the command line, to select some of them
 */
export function processesOf(home: string, running = ''): number[] {
  return allPids().filter(pid => {
    if (pid === process.pid) return false;
    const command = readProc(pid, 'cmdline');
    const text = command + readProc(pid, 'environ');
    return command.includes(running) && text.includes(home);
  });
}
