import { readdirSync, readFileSync } from 'node:fs';

/** `/proc` reports CPU time in hundredths of a second (USER_HZ), independent of the kernel's clock. */
const ticksPerSecond = 100;

/** Total CPU seconds of a process. */
export function cpuSeconds(pid: number): number {
  return ticksOf(pid).own / ticksPerSecond;
}

/** The same, including running and ended children: PostgreSQL uses one process per connection. */
export function familyCpuSeconds(pid: number): number {
  const { own, ended } = ticksOf(pid);
  const living = childrenOf(pid).reduce((sum, child) => sum + ticksOf(child).own, 0);
  return (own + ended + living) / ticksPerSecond;
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readIfExists(`/proc/${pid}/status`))?.[1];
  return Number(kib ?? 0) / 1_024;
}

/** A process and its children: PostgreSQL uses one process per connection. */
export function familyOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid)];
}

/** The parent of a process. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1] ?? 0);
}

/** Its arguments joined by spaces, or the title that it has given itself; empty if it has ended. */
export function commandLineOf(pid: number): string {
  return readIfExists(`/proc/${pid}/cmdline`).split('\0').join(' ').trim();
}

function ticksOf(pid: number): { own: number; ended: number } {
  const stat = statOf(pid);
  const field = (index: number) => Number(stat[index] ?? 0);
  return { own: field(11) + field(12), ended: field(13) + field(14) };
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(candidate => parentOf(candidate) === pid);
}

/** The fields of `/proc/PID/stat` after the process name, which can contain spaces and parentheses. */
function statOf(pid: number): string[] {
  const text = readIfExists(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Empty if the process has ended. */
function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
