import { allPids, readProc } from '../support/machine/proc.js';

/**
 * Pids of the live processes that work for a COUNCIL_HOME: they name it on their command line, or were told it in
 * their environment.
 * @param running only those whose command line has this in it
 */
export function processesOf(home: string, running = ''): number[] {
  return allPids().filter(pid => {
    if (pid === process.pid) return false;
    const command = readProc(pid, 'cmdline');
    const told = command + readProc(pid, 'environ');
    return command.includes(running) && told.includes(home);
  });
}
