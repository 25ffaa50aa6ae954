import type { MarketEvent, Resolution } from '../../council/event.js';
import { type Decider, type FinalWord, isFinal } from '../../council/market/final-word.js';

/** The final words about an event whose markets say themselves how they ended. */
export function wordsOf(event: MarketEvent, decider: Decider): Readonly<Record<string, FinalWord>> {
  return Object.fromEntries(
    event.markets.map(({ marketId, resolution, closesAt }) => {
      const ended = isFinal(resolution);
      const word: FinalWord = {
        resolution,
        status: ended ? 'resolved' : resolution,
        finalAt: ended ? closesAt : null,
        decidedBy: ended ? decider : null,
        wasDisputed: resolution === 'disputed',
        settlementValue: settlementValues[resolution],
        rulesUpdated: false,
        transactionHash: null,
      };
      return [marketId, word];
    }),
  );
}

const settlementValues: Readonly<Record<Resolution, number | null>> = {
  yes: 1,
  no: 0,
  fifty_fifty: 0.5,
  void: null,
  unresolved: null,
  disputed: null,
};
