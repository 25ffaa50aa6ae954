import { identifyProcess } from './process-identity.js';
import { waitUntil } from './wait-until.js';

/** One attempt at ending a process: the signal, and how long it is given to obey. */
export interface EndStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** Sends each signal in turn until the process is gone; it is never signalled again once its pid means another process. */
export async function endProcess(pid: number, steps: readonly EndStep[]): Promise<void> {
  const identity = await identifyProcess(pid);
  if (identity === undefined) return;
  for (const { signal, waitMs } of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((await identifyProcess(pid)) !== identity) return;
      throw new Error(`process ${pid} could not be stopped`, { cause: error });
    }
    const gone = async () => ((await identifyProcess(pid)) === identity ? undefined : true);
    if ((await waitUntil(gone, { timeoutMs: waitMs })) === true) return;
  }
  throw new Error(`process ${pid} did not end after ${steps.map(step => step.signal).join(', ')}`);
}
