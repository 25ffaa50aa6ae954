import { once } from 'node:events';
import type { FaultMatch, SimulatedCall } from './faults.js';

/** The calls that the simulator received, oldest first. */
export interface CallLog {
  readonly calls: readonly SimulatedCall[];
  /** @returns A function that marks the call as aborted. */
  record(call: Omit<SimulatedCall, 'aborted'>): () => void;
}

/** Limits the memory that prompts take in a long demonstration. */
const maxCalls = 1_000;

export function createCallLog(): CallLog {
  const calls: SimulatedCall[] = [];
  return {
    calls,
    record: call => {
      const entry = { ...call, aborted: false };
      calls.push(entry);
      if (calls.length > maxCalls) calls.shift();
      return () => {
        entry.aborted = true;
      };
    },
  };
}

/** Holds answers back, so that a test can inspect a running report. */
export interface HoldList {
  /** @returns A function that releases the held answers and removes the hold. */
  add(match: HoldMatch): () => void;
  /** Resolves when no hold matches the call. */
  waitUntilReleased(call: HeldCall): Promise<unknown>;
}

export type HoldMatch = Pick<FaultMatch, 'model' | 'stage'>;

type HeldCall = Pick<SimulatedCall, 'model' | 'stage'>;

export function createHoldList(): HoldList {
  const holds = new Map<AbortController, HoldMatch>();
  return {
    add: match => {
      const hold = new AbortController();
      holds.set(hold, match);
      return () => {
        holds.delete(hold);
        hold.abort();
      };
    },
    waitUntilReleased: call => {
      const holding = [...holds].filter(([, match]) => matches(match, call));
      return Promise.all(holding.map(([{ signal }]) => once(signal, 'abort')));
    },
  };
}

function matches(match: HoldMatch, { model, stage }: HeldCall): boolean {
  return (match.model ?? model) === model && (match.stage ?? stage) === stage;
}
