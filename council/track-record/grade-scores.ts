import { blend } from '../conclusion/consensus.js';
import { logScoreClampMin } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at, atLeast, scaledToOne } from '../numbers.js';
import type { Happened } from './grade.js';
import type { RecordedForecast, RecordedOutcome } from './recorded-forecast.js';

/** Everybody's scores on the same outcomes; null for who has no number on one of them. */
export interface ForecastScores {
  readonly council: Score | null;
  /** The market's prices at the instant at which the report froze them. */
  readonly market: Score | null;
  /** 20 % council and 80 % market in logits, as `blend.ts` has it. */
  readonly blend: Score | null;
  /** The members' arithmetic mean, as the yardstick of simple pooling. */
  readonly mean: Score | null;
  /** Each member alone. */
  readonly members: Readonly<Partial<Record<CouncilModel, Score | null>>>;
}

/**
 * Scores the percents that the report published. Members are scaled to 1 on an exclusive set, as the pool scales
 * them, for they may give 100 ± 2; the mean is the mean of the members so scaled.
 */
export function forecastScores(forecast: RecordedForecast, happened: Happened): ForecastScores {
  const { exclusive } = forecast;
  const outcomes = forecast.outcomes.filter((_, index) => happened[index] !== null);
  const answers = happened.filter(answer => answer !== null);
  const score = (row: Row) => (row === null ? null : scoreOf(row, answers, exclusive));

  const council = rowOf(outcomes, outcome => outcome.council, exclusive);
  const market = rowOf(outcomes, outcome => outcome.market, exclusive);
  const members = memberRows(outcomes, exclusive);
  return {
    council: score(council),
    market: score(market),
    blend: score(council && market && blend(council, market, exclusive)),
    mean: score(meanRow(members.flatMap(({ row }) => (row === null ? [] : [row])))),
    members: Object.fromEntries(members.map(({ model, row }) => [model, score(row)])),
  };
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
  // Exclusive outcomes that all have 0 are no distribution: there is nothing to scale.
  return complete && (!exclusive || row.some(p => p > 0)) ? row : null;
}

function memberRows(
  outcomes: readonly RecordedOutcome[],
  exclusive: boolean,
): { readonly model: CouncilModel; readonly row: Row }[] {
  return councilModels
    .filter(model => outcomes.some(({ members }) => members[model] !== undefined))
    .map(model => {
      const row = rowOf(outcomes, ({ members }) => members[model], exclusive);
      return { model, row: row !== null && exclusive ? scaledToOne(row) : row };
    });
}

function meanRow(rows: readonly (readonly number[])[]): Row {
  const [first] = rows;
  if (first === undefined) return null;
  return first.map((_, index) => rows.reduce((sum, row) => sum + at(row, index), 0) / rows.length);
}

/** How good one set of probabilities was. */
export interface Score {
  /** 0 (certain and right) to 2 (certain and wrong); less is better. */
  readonly brier: number;
  /** In nats, 0 to −ln 0.001; less is better. */
  readonly log_score: number;
  /** 1 where the favourite happened, 0 where it did not, a share where several were equally likely. */
  readonly hit: number;
}

/**
 * Scores probabilities against what happened.
 *
 * Exclusive outcomes: Brier = Σ (p − y)² over all of them (Brier 1950); log score = −ln of the probability given to
 * what happened, taken as 0.001 at least; a hit when it was the favourite, 1/k of one when it shared that with k − 1.
 * Independent markets: each is scored so with its two sides p and 1 − p, and the three figures are means over the
 * markets; the hit is then the share of markets on whose right side of ½ the forecast was. So a market asked about
 * alone and one among many are measured by the same rule.
 *
 * @param probabilities 0..1, aligned with `happened`, at least one
 */
export function scoreOf(
  probabilities: readonly number[],
  happened: readonly (0 | 1)[],
  exclusive: boolean,
): Score {
  if (exclusive) return scoreTogether(probabilities, happened);
  const scores = probabilities.map((p, index) => {
    const yes = at(happened, index) === 1;
    return scoreTogether([p, 1 - p], yes ? [1, 0] : [0, 1]);
  });
  return {
    brier: meanOf(scores.map(({ brier }) => brier)),
    log_score: meanOf(scores.map(score => score.log_score)),
    hit: meanOf(scores.map(({ hit }) => hit)),
  };
}

function scoreTogether(probabilities: readonly number[], happened: readonly (0 | 1)[]): Score {
  const given = at(probabilities, happened.indexOf(1));
  const favourites = favouritesOf(probabilities);
  return {
    brier: probabilities.reduce((sum, p, index) => sum + (p - at(happened, index)) ** 2, 0),
    // Plus 0: what was certain and right has lost nothing, and not minus nothing.
    log_score: -Math.log(Math.max(logScoreClampMin, given)) + 0,
    hit: favourites.includes(given) ? 1 / favourites.length : 0,
  };
}

/** The probabilities of the favourites: several where none is ahead. */
function favouritesOf(probabilities: readonly number[]): number[] {
  const highest = Math.max(...probabilities);
  return probabilities.filter(p => atLeast(p, highest));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
