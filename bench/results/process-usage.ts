import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second for whoever reads `/proc`, whatever its own clock does. */
const ticksPerSecond = 100;

/** CPU seconds of a process so far. */
export function cpuSeconds(pid: number): number {
  return ticksOf(pid).own / ticksPerSecond;
}

/** The same with its children, ended ones included: PostgreSQL works in a process a connection. */
export function familyCpuSeconds(pid: number): number {
  const { own, ended } = ticksOf(pid);
  const living = childrenOf(pid).reduce((sum, child) => sum + ticksOf(child).own, 0);
  return (own + ended + living) / ticksPerSecond;
}

/** MiB of memory that a process holds now. */
export function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/status`))?.[1];
  return Number(kib ?? 0) / 1_024;
}

/** The process that started another one. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1] ?? 0);
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

/** The fields of `/proc/PID/stat` from the state on: the name before it may hold blanks and brackets. */
function statOf(pid: number): string[] {
  const text = readOrNothing(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Empty for a process that has ended meanwhile. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
