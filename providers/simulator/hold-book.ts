import { once } from 'node:events';
import type { FaultMatch } from './fault.js';
import type { SimulatedCall } from './simulated-call.js';

/** Answers that are held back for as long as somebody wants to look at what is under way. */
export interface HoldBook {
  /** @returns A function that lets go what is held, and holds no more. */
  add(match: HoldMatch): () => void;
  /** Until nothing holds this call's answer; at once where nothing does. */
  letGo(call: HeldCall): Promise<unknown>;
}

export type HoldMatch = Pick<FaultMatch, 'model' | 'stage'>;

type HeldCall = Pick<SimulatedCall, 'model' | 'stage'>;

export function createHoldBook(): HoldBook {
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
    letGo: call => {
      const holding = [...holds].filter(([, match]) => matches(match, call));
      return Promise.all(holding.map(([{ signal }]) => once(signal, 'abort')));
    },
  };
}

function matches(match: HoldMatch, { model, stage }: HeldCall): boolean {
  return (match.model ?? model) === model && (match.stage ?? stage) === stage;
}
