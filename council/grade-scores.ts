import { at } from './at.js';
import { blend } from './blend.js';
import type { Happened } from './grade-outcomes.js';
import { type Score, scoreOf } from './grade-score.js';
import { type CouncilModel, councilModels } from './models.js';
import type { RecordedForecast, RecordedOutcome } from './record.js';
import { scaledToOne } from './scaled-to-one.js';

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
    mean: score(meanOf(members.flatMap(({ row }) => (row === null ? [] : [row])))),
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

function meanOf(rows: readonly (readonly number[])[]): Row {
  const [first] = rows;
  if (first === undefined) return null;
  return first.map((_, index) => rows.reduce((sum, row) => sum + at(row, index), 0) / rows.length);
}
