import { blend, conflict, consensus, twoSides } from '../../council/conclusion/consensus.js';
import { hasQuorum } from '../../council/deliberation/members.js';
import { logScoreClampMin, method } from '../../council/method.js';
import { at, sum } from '../../council/numbers.js';
import { compareText } from '../../council/text.js';
import { clusteredMean } from '../figures/intervals.js';

/** A yes/no question whose answer is known. Probabilities (0..1) are of YES. */
export interface ResolvedQuestion {
  readonly id: string;
  /** Intervals draw the questions of one event together. Defaults to the id. */
  readonly event?: string;
  /** When the forecast was made, for example 1 (early) to 5 (late). */
  readonly checkpoint?: string;
  readonly outcome: 0 | 1;
  /** Null if no price is known. */
  readonly market: number | null;
  /** Aligned with the names of the forecasters; null for a forecaster that gave none. */
  readonly forecasts: readonly (number | null)[];
}

export interface Evaluation {
  readonly method: string;
  readonly questions: number;
  /** Questions that fewer than two forecasters answered, which have no council. */
  readonly below_quorum: number;
  /** Questions on which council and market were in conflict, so that the headline was the market's. */
  readonly conflicts: number;
  readonly council: Graded;
  readonly market: Graded;
  readonly blend: Graded;
  /** Council and market by learnt weights, on questions with a price and a council. */
  readonly estimate: Graded & { readonly minus_blend: Difference | null };
  /** The headline that a report would have had: the council's number, or the market's in conflict. */
  readonly headline: Graded;
  /** Arithmetic mean of the forecasts, for comparison with simple pooling. */
  readonly mean: Graded;
  readonly forecasters: Readonly<Record<string, Graded>>;
  /** The scores by checkpoint of the questions; empty if they name none. */
  readonly by_checkpoint: Readonly<Record<string, CheckpointScores>>;
}

/** Mean Brier scores at one checkpoint, each on the questions that it answered; null if there are none. */
export interface CheckpointScores {
  readonly n: number;
  readonly council: number | null;
  readonly market: number | null;
  readonly blend: number | null;
  readonly estimate: number | null;
}

/** A score over the questions that one forecaster answered. */
export type Graded = Score & {
  /** Paired, on the questions that both answered; null against itself, or if there are no such questions. */
  readonly minus_council: Difference | null;
  readonly minus_market: Difference | null;
};

/** Figures are null if `n` is 0, intervals if there are fewer than two events. */
interface Score {
  readonly n: number;
  /** Mean of (p − outcome)², 0 to 1; always saying ½ gives 0.25. Less is better. */
  readonly brier: number | null;
  readonly brier_interval_95: Interval;
  /** Mean of −ln of the probability given to the answer, at least 0.001. Less is better. */
  readonly log_score: number | null;
}

/** Mean difference of two Brier scores on the same questions. Below 0 the first one is better. */
interface Difference {
  readonly n: number;
  readonly brier: number;
  readonly interval_95: Interval;
}

type Interval = readonly [low: number, high: number] | null;

/**
 * Grades the council's method on questions whose answers are known, with the same functions that compute the
 * numbers of a live report: consensus, quorum, conflict and blend. All prices count as trustworthy.
 *
 * @param estimates of YES (0..1), aligned with the questions; null without a price or a council
 */
export function evaluate(
  forecasters: readonly string[],
  questions: readonly ResolvedQuestion[],
  estimates: readonly (number | null)[],
): Evaluation {
  const councils = questions.map(({ forecasts }) => councilOf(forecasts.filter(isGiven)));
  const withMarket = (combine: (council: number, market: number) => number): Series =>
    series(questions, ({ market }, index) => {
      const council = at(councils, index);
      return council === null || market === null ? null : combine(council, market);
    });

  const council = series(questions, (_, index) => at(councils, index));
  const market = series(questions, question => question.market);
  const estimated = series(questions, (_, index) => at(estimates, index));
  const blended = withMarket((p, q) => at(blend([p, 1 - p], [q, 1 - q], true), 0));
  const grade = (one: Series): Graded => ({
    ...scoreOf(one),
    minus_council: one === council ? null : differenceOf(one, council),
    minus_market: one === market ? null : differenceOf(one, market),
  });
  return {
    method: method.name,
    questions: questions.length,
    below_quorum: councils.filter(p => p === null).length,
    conflicts: questions.filter((question, index) => inConflict(at(councils, index), question.market)).length,
    council: grade(council),
    market: grade(market),
    blend: grade(blended),
    estimate: { ...grade(estimated), minus_blend: differenceOf(estimated, blended) },
    headline: grade(withMarket((p, q) => (inConflict(p, q) ? q : p))),
    mean: grade(series(questions, ({ forecasts }, index) => meanWithCouncil(at(councils, index), forecasts))),
    forecasters: Object.fromEntries(
      forecasters.map((name, column) => [name, grade(series(questions, q => at(q.forecasts, column)))]),
    ),
    by_checkpoint: byCheckpoint(questions, { council, market, blend: blended, estimate: estimated }),
  };
}

type ScoredAtCheckpoints = Readonly<Record<Exclude<keyof CheckpointScores, 'n'>, Series>>;

function byCheckpoint(
  questions: readonly ResolvedQuestion[],
  { council, market, blend, estimate }: ScoredAtCheckpoints,
): Record<string, CheckpointScores> {
  const checkpoints = [...new Set(questions.flatMap(({ checkpoint }) => checkpoint ?? []))].sort(compareText);
  return Object.fromEntries(
    checkpoints.map(checkpoint => {
      const isThen = questions.map(question => question.checkpoint === checkpoint);
      const brier = (one: Series) => meanBrier(one.filter((_, index) => at(isThen, index)));
      const n = isThen.filter(Boolean).length;
      const scores = { council: brier(council), market: brier(market), blend: brier(blend) };
      return [checkpoint, { n, ...scores, estimate: brier(estimate) }];
    }),
  );
}

function meanBrier(series: Series): number | null {
  const errors = series.flatMap(({ forecast, outcome }) =>
    forecast === null ? [] : [squaredError(forecast, outcome)],
  );
  return errors.length === 0 ? null : sum(errors) / errors.length;
}

/** Pools the two sides of one market as a live report does. */
function councilOf(forecasts: readonly number[]): number | null {
  if (!hasQuorum(forecasts)) return null;
  const members = forecasts.map(p => ({ fractions: [p, 1 - p] }));
  return at(consensus(twoSides, members).fractions, 0);
}

function inConflict(council: number | null, market: number | null): boolean {
  return council !== null && market !== null && conflict([council, 1 - council], [market, 1 - market]);
}

/** The mean exists on the council's questions only, so that the two can be compared. */
function meanWithCouncil(council: number | null, forecasts: readonly (number | null)[]): number | null {
  const given = forecasts.filter(isGiven);
  return council === null ? null : sum(given) / given.length;
}

/** One forecaster's probabilities of YES over a list of questions; null where it gave none. */
type Series = readonly {
  readonly cluster: string;
  readonly outcome: 0 | 1;
  readonly forecast: number | null;
}[];

function series(
  questions: readonly ResolvedQuestion[],
  forecastOf: (question: ResolvedQuestion, index: number) => number | null,
): Series {
  return questions.map((question, index) => ({
    cluster: question.event ?? question.id,
    outcome: question.outcome,
    forecast: forecastOf(question, index),
  }));
}

function isGiven(forecast: number | null): forecast is number {
  return forecast !== null;
}

function scoreOf(series: Series): Score {
  const errors = clusteredMean();
  let losses = 0;
  for (const { cluster, outcome, forecast } of series) {
    if (forecast === null) continue;
    errors.add(cluster, squaredError(forecast, outcome));
    losses += logLoss(forecast, outcome);
  }
  const { n, mean, interval_95 } = errors.finish();
  return { n, brier: mean, brier_interval_95: interval_95, log_score: n === 0 ? null : losses / n };
}

/** Null if no question was answered by both. */
function differenceOf(one: Series, other: Series): Difference | null {
  const differences = clusteredMean();
  for (const [index, { cluster, outcome, forecast }] of one.entries()) {
    const theirs = at(other, index).forecast;
    if (forecast === null || theirs === null) continue;
    differences.add(cluster, squaredError(forecast, outcome) - squaredError(theirs, outcome));
  }
  const { n, mean, interval_95 } = differences.finish();
  return mean === null ? null : { n, brier: mean, interval_95 };
}

function squaredError(p: number, outcome: 0 | 1): number {
  return (p - outcome) ** 2;
}

function logLoss(p: number, outcome: 0 | 1): number {
  return -Math.log(Math.max(logScoreClampMin, outcome === 1 ? p : 1 - p));
}
