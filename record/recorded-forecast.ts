import type { ConcludeInput } from '../council/conclusion/conclude.js';
import { consensus, type MemberForecast, memberForecasts } from '../council/conclusion/consensus.js';
import type { Resolution } from '../council/event.js';
import { type OutcomeSet, outcomeSet } from '../council/market/outcome-set.js';
import type { MethodName } from '../council/method.js';
import type { CouncilModel } from '../council/models.js';
import { at } from '../council/numbers.js';
import type {
  Action,
  Bet,
  Conclusion,
  EstimateWeights,
  EvidenceSummary,
  HeadlineSource,
  MarketGap,
  OutsideView,
  Runtime,
} from '../council/report.js';

/** The version of this format by the version of the method. An entry of `record/1` lacks the added numbers. */
export const recordVersions = {
  'council/1': 'record/1',
  'council/2': 'record/2',
} as const satisfies Readonly<Record<MethodName, string>>;

export type RecordVersion = (typeof recordVersions)[MethodName];

/**
 * The forecast of a report, frozen when the report is completed and before the outcome is known. Grading uses
 * nothing else. Percents are those that the report publishes, so that others can recompute every figure.
 */
export interface RecordedForecast {
  readonly record: RecordVersion;
  readonly report_id: number;
  readonly event_id: string;
  readonly event_title: string;
  readonly category: string | null;
  readonly simulated: boolean;
  /** Name and version of the method. */
  readonly method: string;
  /** The vendors' own ids of the models whose opinion counted. */
  readonly model_ids: Readonly<Partial<Record<CouncilModel, string>>>;
  /** SHA-256, hex, of the prompts of the opinions, of all stored answers, and of the frozen market. */
  readonly prompt_sha256: string;
  readonly answers_sha256: string;
  readonly market_sha256: string;
  readonly prices_at: string;
  readonly completed_at: string;
  readonly exclusive: boolean;
  readonly degraded: boolean;
  readonly conflict: boolean;
  readonly action: Action;
  readonly queried_market: string;
  readonly headline: { readonly outcome: string; readonly percent: number; readonly source: HeadlineSource };
  readonly outcomes: readonly RecordedOutcome[];
  /** Ids of the markets that were part of `Any other`. What has no market yet is part of it too. */
  readonly left_out: readonly string[];
  readonly bets: readonly RecordedBet[];
  /** Null if the report has no estimate. */
  readonly estimate_weights: Pick<EstimateWeights, 'id' | 'sha256'> | null;
  /** What the members looked up; null if nobody searched. */
  readonly evidence: EvidenceSummary | null;
  /** As in the report. These are absent in `record/1`. */
  readonly confidence?: number;
  readonly outside_view?: readonly OutsideView[];
  readonly resolution_risk?: number | null;
  readonly market_gap?: MarketGap | null;
}

export interface RecordedOutcome {
  readonly name: string;
  /** Null for `Any other`. */
  readonly market_id: string | null;
  /** The side of the market that pays when this outcome happens. */
  readonly side: 'yes' | 'no';
  readonly council: number;
  /** Null if the market had no price. */
  readonly market: number | null;
  /** Each member's final forecast, in percent as it gave it. */
  readonly members: Readonly<Partial<Record<CouncilModel, number>>>;
  /** Null without an estimate of this outcome. */
  readonly estimate: number | null;
  /** The consensus of the members' first opinions, pooled and rounded like `council`. */
  readonly first_council: number;
  /** Each member's first opinion, before it read the others, in percent as it gave it. */
  readonly first_members: Readonly<Partial<Record<CouncilModel, number>>>;
}

/** The stake is absent in `record/1`. */
export type RecordedBet = Pick<
  Bet,
  'side' | 'market' | 'kind' | 'share_cost' | 'payout_per_dollar' | 'win_probability' | 'stake_fraction'
> & { readonly market_id: string };

/** The resolution of each market of an event, by market id. */
export type MarketOutcomes = Readonly<Record<string, Resolution>>;

export interface FreezeInput {
  readonly reportId: number;
  readonly input: ConcludeInput;
  readonly conclusion: Conclusion;
  readonly modelIds: Readonly<Partial<Record<CouncilModel, string>>>;
  /** SHA-256, hex, of the prompts of the opinions. */
  readonly promptSha256: string;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
}

/** The database adds the hashes of the answers and the market that it stores. */
export type FrozenForecast = Omit<RecordedForecast, 'answers_sha256' | 'market_sha256'>;

/** Builds the forecast of a report for the record: everything that grading needs, and nothing else. */
export function freezeForecast({
  reportId,
  input,
  conclusion,
  modelIds,
  promptSha256,
  completedAt,
}: FreezeInput): FrozenForecast {
  const { event } = input;
  const { runtime, action, queried_market } = conclusion;
  const set = outcomeSet(event);
  return {
    record: recordVersions[input.method],
    report_id: reportId,
    event_id: event.eventId,
    event_title: event.title,
    category: event.category,
    simulated: input.simulated,
    method: input.method,
    model_ids: modelIds,
    prompt_sha256: promptSha256,
    prices_at: input.pricesAt,
    completed_at: completedAt,
    exclusive: runtime.exclusive,
    degraded: runtime.degraded,
    conflict: runtime.consensus_market_conflict,
    action,
    queried_market,
    headline: {
      outcome: runtime.most_likely_outcome,
      percent: runtime.most_likely_probability,
      source: runtime.most_likely_source,
    },
    outcomes: recordedOutcomes(set, conclusion, input),
    left_out: set.leftOut.map(({ marketId }) => marketId),
    bets: runtime.top_bets.map(bet => recordedBet(set, bet)),
    estimate_weights: weightsOf(runtime),
    evidence: runtime.evidence,
    ...addedNumbers(conclusion),
  };
}

/** Nothing in a report of `council/1`. */
function addedNumbers({ confidence, runtime }: Conclusion) {
  const { outside_view, resolution_risk, market_gap } = runtime;
  return outside_view === undefined || resolution_risk === undefined || market_gap === undefined
    ? {}
    : { confidence, outside_view, resolution_risk, market_gap };
}

function weightsOf({ estimate }: Runtime): Pick<EstimateWeights, 'id' | 'sha256'> | null {
  return estimate ? { id: estimate.weights.id, sha256: estimate.weights.sha256 } : null;
}

function recordedOutcomes(
  set: OutcomeSet,
  { runtime }: Conclusion,
  { opinions, reviews }: ConcludeInput,
): RecordedOutcome[] {
  const forecasts = memberForecasts(set, opinions, reviews);
  const firstCouncil = consensus(
    set,
    forecasts.map(({ first }) => ({ fractions: first })),
  );
  return set.outcomes.map(({ name, market, side }, index) => ({
    name,
    market_id: market?.marketId ?? null,
    side,
    council: runtime.market_probabilities[name] ?? 0,
    market: runtime.market_implied_probabilities[name] ?? null,
    members: byMember(forecasts, ({ fractions }) => at(fractions, index)),
    estimate: runtime.estimate?.probabilities[name] ?? null,
    first_council: at(firstCouncil.percents, index),
    first_members: byMember(forecasts, ({ first }) => at(first, index)),
  }));
}

function byMember(
  forecasts: readonly MemberForecast[],
  fractionOf: (forecast: MemberForecast) => number,
): Partial<Record<CouncilModel, number>> {
  return Object.fromEntries(forecasts.map(forecast => [forecast.model, percent(fractionOf(forecast))]));
}

/** The percent that the member gave, without the binary noise of the division by 100. */
function percent(fraction: number): number {
  return Number((fraction * 100).toPrecision(12));
}

function recordedBet(
  set: OutcomeSet,
  { side, market, kind, share_cost, payout_per_dollar, win_probability, stake_fraction }: Bet,
): RecordedBet {
  const market_id = set.markets.find(({ name }) => name === market)?.market.marketId ?? '';
  const bet = { side, market, market_id, kind, share_cost, payout_per_dollar, win_probability };
  return stake_fraction === undefined ? bet : { ...bet, stake_fraction };
}
