import type { MarketEvent, Resolution } from '../event.js';

/**
 * What a venue itself says about the result of a market. Grades follow nothing else: prices near 0 or 1 show what
 * traders expect, and a proposed answer can still be disputed.
 */
export interface FinalWord {
  /** `unresolved` until the venue's answer is final; `disputed` while it is contested. */
  readonly resolution: Resolution;
  /** The venue's own name of the state, such as `proposed`, `resolved`, `determined` or `finalized`. */
  readonly status: string;
  /** ISO 8601, UTC: when the answer became final. Null before, and where the venue does not say. */
  readonly finalAt: string | null;
  /** Who gave the answer; null until it is final, and where the venue names somebody not known here. */
  readonly decidedBy: Decider | null;
  /** The answer was contested at any time. */
  readonly wasDisputed: boolean;
  /** Dollars that a share of YES paid (0..1); null until it is final. */
  readonly settlementValue: number | null;
  /** The venue says that it changed the rules after the market was made; it does not say when. */
  readonly rulesUpdated: boolean;
  /** The transaction that holds the answer, where it is on a chain. */
  readonly transactionHash: string | null;
}

/**
 * `uma`: UMA's optimistic oracle. `chainlink`: a price feed. `operator`: an account of the venue. `exchange`: the
 * exchange by its own rules. `sample`: the bundled events. `prices`: final prices, by which grades of 1.0.0 were made.
 */
export const deciders = ['uma', 'chainlink', 'operator', 'exchange', 'sample', 'prices'] as const;

export type Decider = (typeof deciders)[number];

/** Whether a resolution is the venue's last word: neither open nor contested. */
export function isFinal(resolution: Resolution | undefined): boolean {
  return resolution !== undefined && resolution !== 'unresolved' && resolution !== 'disputed';
}

/** Dollars that a share of YES pays, where the result alone says it. */
export const settlementValues: Readonly<Partial<Record<Resolution, number>>> = {
  yes: 1,
  no: 0,
  fifty_fifty: 0.5,
};

/** An event as it is read to be graded. */
export interface EventEnding {
  readonly event: MarketEvent;
  readonly words: FinalWords;
  /** The venue calls a market final with a result that contradicts what it paid. Such a market is void. */
  readonly hasContradiction?: boolean;
}

/** By market id. A market that is not in it has no final word yet. */
export type FinalWords = Readonly<Record<string, FinalWord>>;
