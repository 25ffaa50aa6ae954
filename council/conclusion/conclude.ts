import { type Dropout, dropoutReason, hasQuorum, providerFailures } from '../deliberation/members.js';
import type { CrossReview, Opinion } from '../deliberation/stages.js';
import type { WeightsInForce } from '../estimate/weights.js';
import type { MarketEvent } from '../event.js';
import type { Evidence } from '../evidence.js';
import { type CouncilMarket, type OutcomeSet, outcomeSet, subjectIndex } from '../market/outcome-set.js';
import { type ImpliedDistribution, impliedDistribution, queriedMarket } from '../market/prices.js';
import { type MethodName, methods } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at, indexOfMax } from '../numbers.js';
import type { AddedNumbers, Bet, Conclusion, EvidenceSummary, Runtime } from '../report.js';
import { aggregateRanking, positions } from './agreement.js';
import { type BetOptions, bets, type ComparedMarket, verdict } from './bets.js';
import { confidence } from './confidence.js';
import { type Consensus, conflictsByOutcome, consensus, memberForecasts } from './consensus.js';
import { estimateSet, type SetEstimate } from './estimate-set.js';
import { marketGap } from './market-gap.js';
import { outsideView, resolutionRisk } from './outside-view.js';
import { withStakes } from './stakes.js';

export interface ConcludeInput {
  /** That of this release or, for a stored report, the one that it names. */
  readonly method: MethodName;
  /**
   * The weights of the estimate: those that are active at the conclusion or, for a stored report, those that it
   * names. May be null if the prices imply no estimate.
   */
  readonly weights: WeightsInForce | null;
  /** The event as it was when its prices were taken. */
  readonly event: MarketEvent;
  /** ISO 8601, UTC. */
  readonly pricesAt: string;
  readonly quoteAgeSeconds: number;
  /** The market's name. If it no longer trades in the snapshot, the snapshot's own favourite replaces it. */
  readonly queriedMarket: string;
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  readonly reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>;
  /** What the members looked up, with the SHA-256 (hex) of its JSON; null if nobody searched. */
  readonly evidence: { readonly evidence: Evidence; readonly sha256: string } | null;
  readonly dropouts: readonly Dropout[];
  readonly chairman: CouncilModel;
  readonly simulated: boolean;
}

/**
 * Computes everything that follows from the members' answers and the frozen prices: consensus, conflict,
 * estimate, bets, verdict, confidence, positions and ranking. The same input gives the same report to the last bit. The
 * synthesis is not part of the input, so the chairman's text cannot change a number.
 *
 * @throws RangeError without a quorum, or when the event has no market left to trade: check both first
 */
export function conclude(input: ConcludeInput): Conclusion {
  const { event, opinions, reviews, quoteAgeSeconds } = input;
  const set = outcomeSet(event);
  const queried = queriedIn(set, input);
  if (queried === null) throw new RangeError('no conclusion on an event without a market to trade');
  const forecasts = memberForecasts(set, opinions, reviews);
  if (!hasQuorum(forecasts)) throw new RangeError('no conclusion without a quorum');

  const models = forecasts.map(({ model }) => model);
  const losses = lossesOf(input, models);
  const { degraded } = losses;
  const council = consensus(set, forecasts);
  const market = impliedDistribution(set);
  const estimate = estimateSet({ ...input, set, council, forecasts, market });
  const compared = { set, queried, council, market, priced: estimate };
  const comparison = compareWithMarket({ ...compared, quoteAgeSeconds, degraded });
  const { conflict, headline, topBets } = comparison;
  const { exclusive } = set;
  const evidence = summaryOf(input.evidence);

  return {
    action: verdict(queried.name, topBets),
    probability: comparison.probability,
    confidence: confidence({ exclusive, forecasts, degraded, conflict, evidence: evidence?.status ?? null }),
    queried_market: queried.name,
    runtime: {
      models,
      ...publishedLosses(input, losses),
      most_likely_outcome: headline.outcome,
      most_likely_probability: headline.percent,
      most_likely_source: conflict ? 'market_implied' : 'council',
      consensus_market_conflict: conflict,
      market_probabilities: byOutcome(set, council.percents),
      market_implied_probabilities: byOutcome(set, market.percents),
      market_implied_basis: market.basis,
      market_trustworthy: market.trustworthy,
      ...publishedEstimate(set, estimate, input.weights),
      evidence,
      ...publishedBets(input, exclusive, topBets),
      exclusive,
      prices_at: input.pricesAt,
      quote_age_seconds: quoteAgeSeconds,
      simulated: input.simulated,
      method: methods[input.method],
      ...(input.method === 'council/1' ? {} : addedNumbers(set, input, council, market)),
    },
    aggregate_ranking: aggregateRanking(models, reviews),
    positions: positions(set, council.fractions, forecasts),
    evidence: input.evidence?.evidence ?? null,
  };
}

function addedNumbers(
  set: OutcomeSet,
  { opinions }: ConcludeInput,
  council: Consensus,
  market: ImpliedDistribution,
): AddedNumbers {
  return {
    subject: at(set.outcomes, subjectIndex(set.exclusive, council.percents)).name,
    outside_view: outsideView(set, opinions),
    resolution_risk: resolutionRisk(opinions),
    market_gap: marketGap(set, council, market),
  };
}

function summaryOf(evidence: ConcludeInput['evidence']): EvidenceSummary | null {
  if (evidence === null) return null;
  const { status, items } = evidence.evidence;
  return { status, items: items.length, sha256: evidence.sha256 };
}

function queriedIn({ markets }: OutcomeSet, { event, queriedMarket: queried }: ConcludeInput) {
  return markets.find(({ name }) => name === queried) ?? queriedMarket(event);
}

interface Losses {
  readonly failures: Runtime['provider_failures'];
  readonly degraded: boolean;
}

/** A model without an opinion is lost, also without a dropout. A chairman that was replaced is not a lost member. */
function lossesOf({ dropouts }: ConcludeInput, models: readonly CouncilModel[]): Losses {
  const failures = providerFailures(dropouts.filter(({ stage }) => stage !== 'synthesis'));
  const degraded = councilModels.some(model => model in failures || !models.includes(model));
  return { failures, degraded };
}

function publishedLosses(
  { chairman, dropouts }: ConcludeInput,
  { degraded, failures }: Losses,
): Pick<Runtime, 'chairman' | 'degraded' | 'provider_failures' | 'synthesis'> {
  const failed = dropouts.filter(({ stage }) => stage === 'synthesis');
  const replaced = failed.map(dropout => ({ model: dropout.model, reason: dropoutReason(dropout) }));
  return { chairman, degraded, provider_failures: failures, synthesis: { chairman, replaced } };
}

function publishedEstimate(
  set: OutcomeSet,
  { percents, missing }: SetEstimate,
  inForce: WeightsInForce | null,
): Pick<Runtime, 'estimate' | 'estimate_missing'> {
  if (missing !== null || inForce === null) return { estimate: null, estimate_missing: missing };
  const { kind: method, ...weights } = inForce;
  return { estimate: { probabilities: byOutcome(set, percents), method, weights }, estimate_missing: null };
}

/** Those of `council/1` have no stakes. */
function publishedBets(
  { method }: ConcludeInput,
  exclusive: boolean,
  bets: readonly Bet[],
): Pick<Runtime, 'top_bets' | 'best_edge'> {
  const top_bets = method === 'council/1' ? bets : withStakes(bets, exclusive);
  return { top_bets, best_edge: top_bets[0] ?? null };
}

function byOutcome<T extends number | null>(
  set: OutcomeSet,
  percents: readonly T[],
): Readonly<Record<string, T>> {
  return Object.fromEntries(set.outcomes.map(({ name }, index) => [name, at(percents, index)]));
}

interface MarketComparisonInput {
  readonly set: OutcomeSet;
  readonly queried: CouncilMarket;
  readonly council: Consensus;
  readonly market: ImpliedDistribution;
  /** The probabilities that bets are priced by, aligned with the outcomes. */
  readonly priced: Pick<SetEstimate, 'fractions' | 'percents'>;
  readonly quoteAgeSeconds: number;
  readonly degraded: boolean;
}

/** The council's consensus compared with the market's prices. */
interface MarketComparison {
  readonly conflict: boolean;
  readonly headline: { readonly outcome: string; readonly percent: number };
  /** Percent, of the queried market's YES. */
  readonly probability: number;
  readonly topBets: readonly Bet[];
}

/**
 * The headline is the council's most probable outcome; on independent markets, the market with the highest
 * YES. Ties: the first by name.
 *
 * A report is in conflict if council and market conflict on the headline outcome or on the queried market. In
 * conflict, headline and probability are the market's (where it has a price), and there are no bets. A
 * conflict on any other independent market only removes the bets on that market.
 */
export function compareWithMarket(input: MarketComparisonInput): MarketComparison {
  const { set, queried, council, market, quoteAgeSeconds, degraded } = input;
  const favourite = indexOfMax(council.fractions);
  const conflicts = conflictsByOutcome(set.exclusive, council.fractions, market);
  const conflict = at(conflicts, favourite) || at(conflicts, queried.yesIndex);

  const bettable = conflict ? [] : set.markets.filter(({ yesIndex }) => !at(conflicts, yesIndex));
  const topBets = bets(
    bettable.map(each => comparedMarket(each, input)),
    { favourite: favouriteSide(set, favourite), quoteAgeSeconds, degraded },
  );
  const councilFavourite = { index: favourite, percent: at(council.percents, favourite) };
  const { index, percent } = (conflict ? market.favourite : null) ?? councilFavourite;
  const councilProbability = at(council.percents, queried.yesIndex);
  const marketProbability = conflict ? at(market.percents, queried.yesIndex) : null;
  return {
    conflict,
    headline: { outcome: at(set.outcomes, index).name, percent },
    probability: marketProbability ?? councilProbability,
    topBets,
  };
}

function comparedMarket(
  { name, market, yesIndex }: CouncilMarket,
  { council, priced, market: implied }: MarketComparisonInput,
): ComparedMarket {
  return {
    name,
    market,
    councilPercent: at(council.percents, yesIndex),
    probability: at(priced.fractions, yesIndex),
    probabilityPercent: at(priced.percents, yesIndex),
    implied: at(implied.fractions, yesIndex),
    impliedPercent: at(implied.percents, yesIndex),
    price: at(implied.prices, yesIndex),
  };
}

/** Null for `Any other`, which is not a market. */
function favouriteSide(set: OutcomeSet, index: number): BetOptions['favourite'] {
  const { market, side } = at(set.outcomes, index);
  const traded = set.markets.find(each => each.market === market);
  return traded ? { market: traded.name, side: side === 'yes' ? 'BUY_YES' : 'BUY_NO' } : null;
}
