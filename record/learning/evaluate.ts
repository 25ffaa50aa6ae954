import { blend, conflict } from '../../council/conclusion/consensus.js';
import { logScoreClampMin, method } from '../../council/method.js';
import { at, sum } from '../../council/numbers.js';
import { compareText } from '../../council/text.js';
import { clusteredMean } from '../figures/intervals.js';
import type { QuestionEstimates } from './question-sets.js';
import { questionsOf, type ResolvedQuestion, type ResolvedReport } from './resolved-reports.js';

export interface Evaluation {
  readonly method: string;
  /** A set of outcomes is one question, each independent market another. */
  readonly questions: number;
  /** Questions with more than two outcomes. */
  readonly multi_outcome: number;
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
  /**
   * By the name of each forecaster, the council without it minus the council, on its questions that have both. Above 0
   * the council is worse without it.
   */
  readonly without: Readonly<Record<string, Difference | null>>;
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
  /** Mean of half the sum of (p − y)² over the outcomes, 0 to 1; with two, (p − outcome)². Less is better. */
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
 * Grades the council's method on reports whose outcomes are known, with the same functions that compute the numbers of a
 * live report: consensus, quorum, conflict and blend. All prices count as trustworthy.
 *
 * @param estimates aligned with the questions of the reports (`questionsOf`)
 */
export function evaluate(
  forecasters: readonly string[],
  reports: readonly ResolvedReport[],
  estimates: QuestionEstimates,
): Evaluation {
  const questions = reports.flatMap(questionsOf);
  const withMarket = (combine: (council: Forecast, market: Forecast) => Forecast): Series =>
    series(questions, ({ council, market }) => council && market && combine(council, market));
  const council = series(questions, question => question.council);
  const market = series(questions, question => question.market);
  const estimated = series(questions, (_, index) => at(estimates, index));
  const blended = withMarket((p, q) => blend(p, q, true));
  const grade = (one: Series): Graded => ({
    ...scoreOf(one),
    minus_council: one === council ? null : differenceOf(one, council),
    minus_market: one === market ? null : differenceOf(one, market),
  });
  const byForecaster = <Figure>(figureOf: (column: number) => Figure) =>
    Object.fromEntries(forecasters.map((name, column) => [name, figureOf(column)]));
  return {
    method: method.name,
    questions: questions.length,
    multi_outcome: questions.filter(({ members }) => (members.find(isGiven)?.length ?? 0) > 2).length,
    below_quorum: questions.filter(question => question.council === null).length,
    conflicts: questions.filter(q => q.council && q.market && conflict(q.council, q.market)).length,
    council: grade(council),
    market: grade(market),
    blend: grade(blended),
    estimate: { ...grade(estimated), minus_blend: differenceOf(estimated, blended) },
    headline: grade(withMarket((p, q) => (conflict(p, q) ? q : p))),
    mean: grade(series(questions, meanWithCouncil)),
    forecasters: byForecaster(column => grade(series(questions, ({ members }) => at(members, column)))),
    without: byForecaster(column => differenceOf(withoutMember(reports, column), council)),
    by_checkpoint: byCheckpoint(questions, { council, market, blend: blended, estimate: estimated }),
  };
}

/** The council without a forecaster, on the questions that it answered. */
function withoutMember(reports: readonly ResolvedReport[], column: number): Series {
  return reports.flatMap(report => {
    const forecasts = report.forecasts.filter((_, index) => index !== column);
    const answered = isGiven(at(report.forecasts, column));
    return series(questionsOf({ ...report, forecasts }), ({ council }) => (answered ? council : null));
  });
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
  const errors = series.flatMap(({ forecast, happened }) =>
    forecast === null ? [] : [squaredError(forecast, happened)],
  );
  return errors.length === 0 ? null : sum(errors) / errors.length;
}

/** The mean exists on the council's questions only, so that the two can be compared. */
function meanWithCouncil({ council, members }: ResolvedQuestion): Forecast | null {
  const given = members.filter(isGiven);
  return council && council.map((_, index) => sum(given.map(row => at(row, index))) / given.length);
}

/** Probabilities (0..1) of the outcomes of a question. */
type Forecast = readonly number[];

/** One forecaster's forecasts of a list of questions; null where it gave none. */
type Series = readonly {
  readonly cluster: string;
  readonly happened: number;
  readonly forecast: Forecast | null;
}[];

function series(
  questions: readonly ResolvedQuestion[],
  forecastOf: (question: ResolvedQuestion, index: number) => Forecast | null,
): Series {
  return questions.map((question, index) => ({
    cluster: question.event,
    happened: question.happened,
    forecast: forecastOf(question, index),
  }));
}

function isGiven(forecast: Forecast | null): forecast is Forecast {
  return forecast !== null;
}

function scoreOf(series: Series): Score {
  const errors = clusteredMean();
  let losses = 0;
  for (const { cluster, happened, forecast } of series) {
    if (forecast === null) continue;
    errors.add(cluster, squaredError(forecast, happened));
    losses += -Math.log(Math.max(logScoreClampMin, at(forecast, happened)));
  }
  const { n, mean, interval_95 } = errors.finish();
  return { n, brier: mean, brier_interval_95: interval_95, log_score: n === 0 ? null : losses / n };
}

/** Null if no question was answered by both. */
function differenceOf(one: Series, other: Series): Difference | null {
  const differences = clusteredMean();
  for (const [index, { cluster, happened, forecast }] of one.entries()) {
    const theirs = at(other, index).forecast;
    if (forecast === null || theirs === null) continue;
    differences.add(cluster, squaredError(forecast, happened) - squaredError(theirs, happened));
  }
  const { n, mean, interval_95 } = differences.finish();
  return mean === null ? null : { n, brier: mean, interval_95 };
}

function squaredError(forecast: Forecast, happened: number): number {
  return sum(forecast.map((p, index) => (p - (index === happened ? 1 : 0)) ** 2)) / 2;
}
