import { allPids, readProc } from '../../support/machine/proc.js';

/** Does nothing when the process has just ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** Processes of PostgreSQL that serve a client of the service. */
export function backendsOf(postmaster: number | null): number[] {
  return childrenOf(postmaster).filter(pid =>
    readProc(pid, 'cmdline').startsWith('postgres: council council '),
  );
}

export function childrenOf(parent: number | null): number[] {
  if (parent === null) return [];
  return allPids().filter(pid => /^\d+ \(.*\) \S (\d+)/.exec(readProc(pid, 'stat'))?.[1] === String(parent));
}
