import type { Resolution } from '../../council/event.js';
import { isFinal } from '../../council/market/final-word.js';
import { sum } from '../../council/numbers.js';
import type { MarketOutcomes, RecordedBet, RecordedForecast, RecordedOutcome } from '../recorded-forecast.js';
import { type ForecastScores, type Happened, scoresOfForecast } from './grade-scores.js';

/**
 * The version of the grading rules, which every grade names. It changes with every rule. `grader/1` waited until all
 * markets of an independent set were final; it graded the same numbers once they were.
 */
export const graderVersion = 'grader/2';

/** State of a report after its event. Only `graded` has scores; `disputed` may still change. */
export const gradeStates = ['graded', 'void', 'fifty_fifty', 'disputed'] as const;

export type GradeState = (typeof gradeStates)[number];

export interface Grade {
  readonly state: GradeState;
  /** Null unless the state is `graded`. */
  readonly scores: ReportScores | null;
  /** Number of markets of a graded independent set that are not final: a later resolution grades them too. */
  readonly openMarkets: number;
}

/** The outcomes of a report and the scores of every forecaster on them. Stored and exported. */
export interface ReportScores extends ForecastScores {
  readonly outcomes: readonly GradedOutcome[];
  readonly bets: readonly GradedBet[];
}

export interface GradedOutcome {
  readonly name: string;
  /** Null for an independent market that was void, paid half or is open, which scores no forecaster. */
  readonly happened: 0 | 1 | null;
  /** Only on an independent market that is not final: unresolved, or disputed. */
  readonly open?: true;
}

/** The result of one dollar on one of the report's bets, at the cost that the report named. */
export interface GradedBet extends Pick<RecordedBet, 'market' | 'side' | 'kind'> {
  /** Null if the market was void or paid half (the stake is returned) or is open: no figure includes the bet. */
  readonly won: boolean | null;
  /** Net dollars: the recorded payout, −1 if lost, 0 if returned or open. */
  readonly return_per_dollar: number;
  /** Only on a bet on an independent market that is not final. */
  readonly open?: true;
}

/**
 * Grades a frozen forecast by the resolutions of its markets. The formulas of the scores are in
 * `grade-scores.ts`.
 *
 * @returns `pending` while too few markets are resolved: nothing is stored then
 */
export function gradeForecast(forecast: RecordedForecast, outcomes: MarketOutcomes): Grade | 'pending' {
  const settlement = settleOutcomes(forecast, outcomes);
  if (settlement === 'pending') return 'pending';
  if (settlement.state !== 'graded') return { state: settlement.state, scores: null, openMarkets: 0 };
  const { happened } = settlement;
  const graded = gradedOutcomes(forecast, happened, outcomes);
  return {
    state: 'graded',
    scores: {
      outcomes: graded,
      ...scoresOfForecast(forecast, happened),
      bets: gradedBets(forecast, outcomes),
    },
    openMarkets: graded.filter(({ open }) => open).length,
  };
}

/** Whether the grade leaves the market of this name open, so that what the forecast says of it is not public. */
export function isOpen(scores: ReportScores | null, name: string): boolean {
  return scores !== null && scores.outcomes.some(outcome => outcome.name === name && outcome.open === true);
}

/** What became of the outcomes of a forecast. */
export type Settlement =
  | 'pending'
  | { readonly state: 'graded'; readonly happened: Happened }
  | { readonly state: Exclude<GradeState, 'graded'> };

/** What a grade needs to know of a forecast to say which of its outcomes happened. */
export interface ForecastOutcomes extends Pick<RecordedForecast, 'exclusive' | 'left_out'> {
  readonly outcomes: readonly Pick<RecordedOutcome, 'market_id' | 'side'>[];
}

/**
 * Which of the forecast outcomes happened. A market that the source does not list is unresolved.
 *
 * Exclusive: graded as soon as one outcome has happened, whatever the state of the other markets, because it
 * excludes them. `Any other` has happened if a market of the event that is no outcome by name has resolved YES, also
 * one that did not exist when the forecast was frozen; or if every named outcome has lost and nothing is open. Two
 * winners contradict each other and are `disputed`, as is a disputed market without any winner. If all markets are
 * closed without a winner: `fifty_fifty` if a market was paid half, otherwise `void`.
 *
 * Independent: each market is a question of its own, graded when it is final. The set is `graded` from its first YES or
 * NO on; markets that are void or paid half drop out, and those that are unresolved or disputed are open. Without any
 * YES or NO: pending while one is unresolved, then `disputed` while one is disputed, then what the markets are.
 */
export function settleOutcomes(forecast: ForecastOutcomes, outcomes: MarketOutcomes): Settlement {
  return forecast.exclusive ? settleExclusive(forecast, outcomes) : settleIndependent(forecast, outcomes);
}

function settleExclusive(forecast: ForecastOutcomes, outcomes: MarketOutcomes): Settlement {
  const others = otherMarkets(forecast, outcomes);
  const wins = forecast.outcomes.map(outcome => winsOf(outcome, others, outcomes));
  const winners = sum(wins);
  if (winners === 1) return { state: 'graded', happened: wins.map(count => (count === 1 ? 1 : 0)) };
  if (winners > 1) return { state: 'disputed' };

  const named = namedMarkets(forecast).map(market => resolutionOf(market, outcomes));
  const resolutions = [...named, ...others.map(market => resolutionOf(market, outcomes))];
  if (resolutions.includes('disputed')) return { state: 'disputed' };
  if (resolutions.includes('unresolved')) return 'pending';
  const isElsewhere = named.every(resolution => resolution === 'no');
  if (isElsewhere && forecast.outcomes.some(isAnyOther)) {
    return { state: 'graded', happened: forecast.outcomes.map(outcome => (isAnyOther(outcome) ? 1 : 0)) };
  }
  return { state: ungradable(resolutions) };
}

/** The markets that are part of `Any other`. */
function otherMarkets(forecast: ForecastOutcomes, outcomes: MarketOutcomes): readonly string[] {
  if (!forecast.outcomes.some(isAnyOther)) return forecast.left_out;
  const named = new Set(namedMarkets(forecast));
  const all = new Set([...forecast.left_out, ...Object.keys(outcomes)]);
  return [...all].filter(market => !named.has(market));
}

function isAnyOther({ market_id: market }: Pick<RecordedOutcome, 'market_id'>): boolean {
  return market === null;
}

/** `Any other` happens if one of its markets does; two winners contradict each other. */
function winsOf(
  { market_id: market, side }: Pick<RecordedOutcome, 'market_id' | 'side'>,
  others: readonly string[],
  outcomes: MarketOutcomes,
): number {
  if (market === null) return others.filter(each => resolutionOf(each, outcomes) === 'yes').length;
  return resolutionOf(market, outcomes) === side ? 1 : 0;
}

function namedMarkets({ outcomes }: ForecastOutcomes): string[] {
  return outcomes.flatMap(({ market_id: market }) => (market === null ? [] : [market]));
}

function settleIndependent(forecast: ForecastOutcomes, outcomes: MarketOutcomes): Settlement {
  const resolutions = namedMarkets(forecast).map(market => resolutionOf(market, outcomes));
  if (!resolutions.some(isYesOrNo)) {
    if (resolutions.includes('unresolved')) return 'pending';
    return { state: resolutions.includes('disputed') ? 'disputed' : ungradable(resolutions) };
  }
  const happened = forecast.outcomes.map(({ side }, index) => {
    const resolution = resolutions[index];
    if (resolution === undefined || !isYesOrNo(resolution)) return null;
    return resolution === side ? 1 : 0;
  });
  return { state: 'graded', happened };
}

function resolutionOf(market: string, outcomes: MarketOutcomes): Resolution {
  return outcomes[market] ?? 'unresolved';
}

function isYesOrNo(resolution: Resolution): boolean {
  return resolution === 'yes' || resolution === 'no';
}

function ungradable(resolutions: readonly Resolution[]): 'void' | 'fifty_fifty' {
  return resolutions.includes('fifty_fifty') ? 'fifty_fifty' : 'void';
}

function gradedOutcomes(
  { outcomes: forecast, exclusive }: RecordedForecast,
  happened: Happened,
  outcomes: MarketOutcomes,
): GradedOutcome[] {
  return forecast.map(({ name, market_id: market }, index) => {
    const result = { name, happened: happened[index] ?? null };
    return market !== null && isUnsettled(exclusive, market, outcomes) ? { ...result, open: true } : result;
  });
}

function gradedBets({ bets, exclusive }: RecordedForecast, outcomes: MarketOutcomes): GradedBet[] {
  return bets.map(bet => {
    const open = isUnsettled(exclusive, bet.market_id, outcomes);
    const won = open ? null : isWon(bet, outcomes);
    const { market, side, kind, payout_per_dollar: payout } = bet;
    const result = { market, side, kind, won, return_per_dollar: won === null ? 0 : won ? payout : -1 };
    return open ? { ...result, open: true } : result;
  });
}

/** Whether the market may still change the grade. Those of a graded exclusive set cannot. */
function isUnsettled(exclusive: boolean, market: string, outcomes: MarketOutcomes): boolean {
  return !exclusive && !isFinal(outcomes[market]);
}

function isWon({ market_id: market, side }: RecordedBet, outcomes: MarketOutcomes): boolean | null {
  const resolution = outcomes[market];
  if (resolution === 'void' || resolution === 'fifty_fifty') return null;
  // An unresolved market of a graded exclusive set is a NO: another outcome of its event happened.
  return side === (resolution === 'yes' ? 'BUY_YES' : 'BUY_NO');
}
