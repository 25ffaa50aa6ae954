import { readdirSync, readFileSync } from 'node:fs';

/** All processes of this machine. Linux only. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

/** A file of `/proc` about a process; empty when the process has just ended or is a zombie. */
export function readProc(pid: number, file: 'cmdline' | 'environ' | 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
