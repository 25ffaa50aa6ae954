import type { MarketEvent } from '../../council/event.js';
import { type Decider, type FinalWord, isFinal, settlementValues } from '../../council/market/final-word.js';

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
        settlementValue: settlementValues[resolution] ?? null,
        rulesUpdated: false,
        transactionHash: null,
      };
      return [marketId, word];
    }),
  );
}
