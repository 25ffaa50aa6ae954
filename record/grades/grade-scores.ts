import { blend } from '../../council/conclusion/consensus.js';
import { logScoreClampMin } from '../../council/method.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { at, atLeast, scaledToOne, sum } from '../../council/numbers.js';
import type { RecordedForecast, RecordedOutcome } from '../recorded-forecast.js';

/** Aligned with the outcomes of the forecast; null if a market of an independent set cannot be graded, or not yet. */
export type Happened = readonly (0 | 1 | null)[];

/** Scores on the same outcomes; null for a forecaster that lacks a number on one of them. */
export interface ForecastScores {
  readonly council: Score | null;
  /** The market's prices as the report froze them. */
  readonly market: Score | null;
  /** 20 % council and 80 % market in logits. */
  readonly blend: Score | null;
  /** The members' arithmetic mean, for comparison with simple pooling. */
  readonly mean: Score | null;
  /** Each member alone. */
  readonly members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
  /** Council and market by learnt weights. */
  readonly estimate: Score | null;
  /** The members' first opinions, pooled: what the council would have been without cross-review. */
  readonly first_council: Score | null;
  /** The first opinion of each member alone. */
  readonly first_members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
}

/**
 * Scores the percents that the report published. On an exclusive set, members are scaled to 1 as in the pool,
 * because they may add up to 100 ± 2; the mean is that of the scaled members.
 */
export function scoresOfForecast(forecast: RecordedForecast, happened: Happened): ForecastScores {
  const { exclusive } = forecast;
  const outcomes = forecast.outcomes.filter((_, index) => happened[index] !== null);
  const scored = happened.filter(outcome => outcome !== null);
  const score = (row: Row) => (row === null ? null : scoreOf(row, scored, exclusive));

  const council = rowOf(outcomes, outcome => outcome.council, exclusive);
  const market = rowOf(outcomes, outcome => outcome.market, exclusive);
  const members = scoredMemberRows(outcomes, exclusive, 'members');
  const firstMembers = scoredMemberRows(outcomes, exclusive, 'first_members');
  const byMember = (rows: typeof members) =>
    Object.fromEntries(rows.map(({ model, row }) => [model, score(row)]));
  return {
    council: score(council),
    market: score(market),
    blend: score(council && market && blend(council, market, exclusive)),
    mean: score(meanRow(members.flatMap(({ row }) => (row === null ? [] : [row])))),
    members: byMember(members),
    estimate: score(rowOf(outcomes, outcome => outcome.estimate, exclusive)),
    first_council: score(rowOf(outcomes, outcome => outcome.first_council, exclusive)),
    first_members: byMember(firstMembers),
  };
}

export interface ScoredMemberRow {
  readonly model: CouncilModel;
  readonly row: Row;
}

/** Probabilities (0..1) aligned with the outcomes that are scored; null where one is missing. */
type Row = readonly number[] | null;

function rowOf(
  outcomes: readonly RecordedOutcome[],
  percentOf: (outcome: RecordedOutcome) => number | null | undefined,
  exclusive: boolean,
): Row {
  const row = outcomes.flatMap(outcome => {
    const percent = percentOf(outcome);
    return percent === null || percent === undefined ? [] : [percent / 100];
  });
  const complete = row.length === outcomes.length;
  // A row of zeros on an exclusive set is not a distribution and cannot be scaled.
  return complete && (!exclusive || row.some(p => p > 0)) ? row : null;
}

/**
 * Each member with its probabilities on the outcomes, in the council's fixed order: null if one is missing, scaled to 1 on
 * an exclusive set.
 */
export function scoredMemberRows(
  outcomes: readonly RecordedOutcome[],
  exclusive: boolean,
  opinions: 'members' | 'first_members',
): ScoredMemberRow[] {
  return councilModels
    .filter(model => outcomes.some(outcome => outcome[opinions][model] !== undefined))
    .map(model => {
      const row = rowOf(outcomes, outcome => outcome[opinions][model], exclusive);
      return { model, row: row !== null && exclusive ? scaledToOne(row) : row };
    });
}

/** The arithmetic mean of aligned rows; null without any. */
export function meanRow(rows: readonly (readonly number[])[]): Row {
  const [first] = rows;
  if (first === undefined) return null;
  return first.map((_, index) => sum(rows.map(row => at(row, index))) / rows.length);
}

/** The scores of one set of probabilities. */
export interface Score {
  /** 0 (certain and right) to 2 (certain and wrong); less is better. */
  readonly brier: number;
  /** Nats, 0 to −ln 0.001; less is better. */
  readonly log_score: number;
  /** 1 if the favourite happened, 0 if it did not, a share if several outcomes were equally likely. */
  readonly hit: number;
}

/**
 * Scores probabilities against what happened.
 *
 * Exclusive outcomes: Brier = Σ (p − y)² over all of them (Brier 1950); log score = −ln of the probability of
 * the outcome that happened, at least 0.001 (Good 1952); hit = 1 if it was the favourite, 1/k if k outcomes
 * were tied. Independent markets: each is scored in this way with its two sides p and 1 − p, and the three
 * figures are means over the markets. A single market and one among many therefore follow the same rule.
 *
 * @param probabilities 0..1, aligned with `happened`, at least one
 * @param happened 1 or 0; between them what a share of YES paid, if a caller grades by that. The log score and the hit are
 *   then means over the outcomes by their shares
 */
export function scoreOf(
  probabilities: readonly number[],
  happened: readonly number[],
  exclusive: boolean,
): Score {
  if (exclusive) return scoreExclusive(probabilities, happened);
  const scores = probabilities.map((p, index) => {
    const yes = at(happened, index);
    return scoreExclusive([p, 1 - p], [yes, 1 - yes]);
  });
  return {
    brier: meanOf(scores.map(({ brier }) => brier)),
    log_score: meanOf(scores.map(score => score.log_score)),
    hit: meanOf(scores.map(({ hit }) => hit)),
  };
}

function scoreExclusive(probabilities: readonly number[], happened: readonly number[]): Score {
  const highest = Math.max(...probabilities);
  let [brier, logScore, favourites, hits] = [0, 0, 0, 0];
  for (let index = 0; index < probabilities.length; index += 1) {
    const [p, share] = [at(probabilities, index), at(happened, index)];
    brier += (p - share) ** 2;
    if (share > 0) logScore -= share * Math.log(Math.max(logScoreClampMin, p));
    // Several are tied if they are the favourites.
    if (!atLeast(p, highest)) continue;
    favourites += 1;
    hits += share;
  }
  // Plus 0 turns the −0 of a certain and correct forecast into 0.
  return { brier, log_score: logScore + 0, hit: hits / favourites };
}

function meanOf(values: readonly number[]): number {
  return sum(values) / values.length;
}
