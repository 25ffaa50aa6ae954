import { readdirSync, readFileSync } from 'node:fs';

/** All processes of this machine. Linux only. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

/** What the system tells of a process; empty where that has just ended, or is a zombie. */
export function readProc(pid: number, file: 'cmdline' | 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
