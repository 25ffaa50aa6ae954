import { readdirSync, readFileSync } from 'node:fs';

/**
 * Pids of the live processes that work for a COUNCIL_HOME: they name it on their command line, or were told it in
 * their environment.
 * @param running only those whose command line has this in it
 */
export function processesOf(home: string, running = ''): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => {
      const command = readOrNothing(`/proc/${pid}/cmdline`);
      const told = command + readOrNothing(`/proc/${pid}/environ`);
      return command.includes(running) && told.includes(home);
    })
    .map(Number);
}

/** Empty for a process that has just ended, or is a zombie. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
