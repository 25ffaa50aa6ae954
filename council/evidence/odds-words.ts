import file from './odds-words.json' with { type: 'json' };
import type { NounAndVerb } from './word-finder.js';

/**
 * The words by which `quotes-odds.ts` recognises a market's view, in folded form (`fold-text.ts`). `*` stands for any
 * further letters. Change them only together with `evidenceRules`.
 */
interface OddsWords {
  /** Prediction markets, betting exchanges, bookmakers and tools that show what a market implies. */
  readonly venues: readonly string[];
  /** Words that speak of betting or of a market's probability, in the languages in which vendors' searches answer. */
  readonly consensusWords: readonly string[];
  /** Phrases in which a consensus word speaks of something else. */
  readonly idioms: readonly string[];
  /** Words that speak of a market only beside a probability. */
  readonly marketWords: readonly string[];
  /** Beside a market word, these speak of a probability, whatever else the sentence measures. */
  readonly probabilityWords: readonly string[];
  /** What `the market` does when it has a view of an outcome; no number is needed. */
  readonly marketBeliefs: readonly NounAndVerb[];
  /** The same, if a price stands beside it. */
  readonly marketLevels: readonly NounAndVerb[];
  /** Law and business around betting, which says nothing about an outcome. */
  readonly institutionalWords: readonly string[];
  /** How a percentage is written out, so that `sixty-two percent` needs no number of its own. */
  readonly percentWords: readonly string[];
  /** What a percentage or a decimal measures when it is no price. */
  readonly measuredWords: readonly string[];
  /** A change by so much, as stock markets make it. */
  readonly movementWords: readonly string[];
  /** Names of markets in which no event is traded, and what is said of any market. */
  readonly otherMarkets: readonly string[];
}

export const oddsWords: OddsWords = {
  ...file,
  consensusWords: Object.values(file.consensusWords).flat(),
  measuredWords: Object.values(file.measuredWords).flat(),
};
