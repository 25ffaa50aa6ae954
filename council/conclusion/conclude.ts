import { type Dropout, hasQuorum, providerFailures } from '../deliberation/members.js';
import type { CrossReview, Opinion } from '../deliberation/stages.js';
import type { MarketEvent } from '../event.js';
import { queriedMarket } from '../market/implied-distribution.js';
import { type AskedMarket, type OutcomeSet, outcomeSet } from '../market/outcome-set.js';
import { publishedMethod } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at } from '../numbers.js';
import type { Conclusion } from '../report.js';
import { aggregateRanking } from './aggregate-ranking.js';
import { verdict } from './bets.js';
import { compareWithMarket } from './compare-with-market.js';
import { confidence } from './confidence.js';
import { consensus, memberForecasts } from './consensus.js';
import { positions } from './positions.js';

export interface ConcludeInput {
  /** As it was when its prices were taken. */
  readonly event: MarketEvent;
  /** ISO 8601, UTC. */
  readonly pricesAt: string;
  readonly quoteAgeSeconds: number;
  /** By name; where it no longer trades in the snapshot, the snapshot's own favourite takes its place. */
  readonly queriedMarket: string;
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  readonly reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>;
  readonly dropouts: readonly Dropout[];
  readonly chairman: CouncilModel;
  readonly simulated: boolean;
}

/**
 * Everything that follows from the members' answers and the frozen prices: pool → consensus → conflict → bets →
 * verdict. The same input gives the same report to the last bit. The synthesis is no part of the input, so no
 * text of a chairman can move a number.
 *
 * @throws RangeError without a quorum, or when the event has no market left to trade: check both before
 */
export function conclude(input: ConcludeInput): Conclusion {
  const set = outcomeSet(input.event);
  const queried = queriedOf(set, input);
  const forecasts = memberForecasts(set, input.opinions, input.reviews);
  if (!hasQuorum(forecasts)) throw new RangeError('no conclusion without a quorum');

  const models = forecasts.map(({ model }) => model);
  const failures = providerFailures(input.dropouts);
  const lostModels = councilModels.filter(model => model in failures || !models.includes(model)).length;
  const degraded = lostModels > 0;

  const council = consensus(set.exclusive, forecasts);
  const judgement = compareWithMarket({
    set,
    queried,
    council,
    quoteAgeSeconds: input.quoteAgeSeconds,
    degraded,
  });
  const { market, conflict, focus, headline, topBets } = judgement;

  return {
    action: verdict(queried.name, topBets),
    probability: judgement.probability,
    confidence: confidence({ forecasts, focus, lostModels, conflict }),
    queried_market: queried.name,
    runtime: {
      models,
      chairman: input.chairman,
      degraded,
      provider_failures: failures,
      most_likely_outcome: headline.outcome,
      most_likely_probability: headline.percent,
      most_likely_source: conflict ? 'market_implied' : 'council',
      consensus_market_conflict: conflict,
      market_probabilities: byName(set, council.percents),
      market_implied_probabilities: byName(set, market.percents),
      market_implied_basis: market.basis,
      market_trustworthy: market.trustworthy,
      top_bets: topBets,
      best_edge: topBets[0] ?? null,
      exclusive: set.exclusive,
      prices_at: input.pricesAt,
      quote_age_seconds: input.quoteAgeSeconds,
      simulated: input.simulated,
      method: publishedMethod,
    },
    aggregate_ranking: aggregateRanking(models, input.reviews),
    positions: positions(set, council.fractions, forecasts),
  };
}

function queriedOf(set: OutcomeSet, input: ConcludeInput): AskedMarket {
  const named = set.markets.find(({ name }) => name === input.queriedMarket);
  const queried = named ?? queriedMarket(input.event);
  if (queried === null) throw new RangeError('no conclusion on an event without a market to trade');
  return queried;
}

function byName<T extends number | null>(
  set: OutcomeSet,
  percents: readonly T[],
): Readonly<Record<string, T>> {
  return Object.fromEntries(set.outcomes.map(({ name }, index) => [name, at(percents, index)]));
}
