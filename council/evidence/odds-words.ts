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
  /** Subjects that price outcomes: with a verb of {@link assigningWords}, a number is a price. */
  readonly pricers: readonly string[];
  /** Pronouns for them in the next sentence. */
  readonly plurals: readonly string[];
  /** What such a subject does with a number. */
  readonly assigningWords: readonly string[];
  /** Words before such a subject that make it the source of a sentence: `according to`. */
  readonly attributions: readonly string[];
  /** Words between a number and what it is a part of: `of`. */
  readonly partitives: readonly string[];
  /** Words that end the phrase of a number: `before`, `for`, `that`. */
  readonly separators: readonly string[];
  /** Directly behind such a subject, they assign a number as well: `the crowd is`. */
  readonly copulas: readonly string[];
  /** Between what is measured and its number: `inflation reached`, `falling to`, `lower by`. */
  readonly reachingWords: readonly string[];
  readonly towards: readonly string[];
  readonly differences: readonly string[];
  /** What may stand directly before a number: `about`. */
  readonly approximations: readonly string[];
  /** Behind these stands no verb. */
  readonly determiners: readonly string[];
  /** What stands before a number that is a level, and behind one that is a view: `at`, `for`. */
  readonly levels: readonly string[];
  readonly views: readonly string[];
  /** Fractions in words, and names of a half. */
  readonly fractionWords: readonly string[];
  /** The numbers of odds in words, and what stands between them. */
  readonly oddsNumbers: readonly string[];
  readonly oddsJoints: readonly string[];
  /** Between the numbers of a share: `twee op drie`. */
  readonly shareJoints: readonly string[];
  /** What a number counts behind it. */
  readonly units: readonly string[];
  /** `pays $1.60 for every dollar`: the verbs, the prepositions and the currencies of a payout. */
  readonly payVerbs: readonly string[];
  readonly stakes: readonly string[];
  readonly currencies: readonly string[];
  /** What was bet: `for every dollar staked`. */
  readonly stakedWords: readonly string[];
  /** Law and business around betting, which says nothing about an outcome. */
  readonly institutionalWords: readonly string[];
  /** Consensus words that name a company, whose results say nothing about an outcome. */
  readonly companyWords: readonly string[];
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
  pricers: Object.values(file.pricers).flat(),
  assigningWords: Object.values(file.assigningWords).flat(),
};
