import { once } from 'node:events';
import type { FaultMatch, SimulatedCall } from './faults.js';

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

/** Answers that are held back for as long as somebody wants to look at what is under way. */
export interface HoldList {
  /** @returns A function that lets go what is held, and holds no more. */
  add(match: HoldMatch): () => void;
  /** Until nothing holds this call's answer; at once where nothing does. */
  release(call: HeldCall): Promise<unknown>;
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
    release: call => {
      const holding = [...holds].filter(([, match]) => matches(match, call));
      return Promise.all(holding.map(([{ signal }]) => once(signal, 'abort')));
    },
  };
}

function matches(match: HoldMatch, { model, stage }: HeldCall): boolean {
  return (match.model ?? model) === model && (match.stage ?? stage) === stage;
}
