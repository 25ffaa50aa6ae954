import type { SimulatedCall } from './simulated-call.js';

/** The calls that came in, oldest first. */
export interface CallLog {
  readonly calls: readonly SimulatedCall[];
  /** @returns A function that marks the call as aborted. */
  record(call: Omit<SimulatedCall, 'aborted'>): () => void;
}

/** Long demonstrations must not fill the memory with prompts. */
const callsKept = 1_000;

export function createCallLog(): CallLog {
  const calls: SimulatedCall[] = [];
  return {
    calls,
    record: call => {
      const entry = { ...call, aborted: false };
      calls.push(entry);
      if (calls.length > callsKept) calls.shift();
      return () => {
        entry.aborted = true;
      };
    },
  };
}
