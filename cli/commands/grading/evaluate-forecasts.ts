import { type Command, Option } from 'commander';
import { finish } from '../../../council/estimate/steps.js';
import { blendCoefficients } from '../../../council/estimate/weights.js';
import { rowsSha256 } from '../../../db/digests.js';
import type { StoredWeights } from '../../../db/estimate/weights.js';
import { type Evaluation, evaluate, type Graded } from '../../../record/learning/evaluate.js';
import { type BetResults, type EvaluatedBets, evaluateBets } from '../../../record/learning/evaluate-bets.js';
import {
  estimateQuestions,
  estimateQuestionsOutOfFold,
  questionSet,
} from '../../../record/learning/question-sets.js';
import { questionsOf, type ResolvedQuestion } from '../../../record/learning/resolved-reports.js';
import type { CommandContext } from '../../command-context.js';
import { examples } from '../../terminal/command-line.js';
import type { Output } from '../../terminal/output.js';
import { chooseWeights } from '../weights/choose-weights.js';
import { plain, range, signed } from './figure-text.js';
import { readForecastFile } from './read-forecasts.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('evaluate')
    .description(
      "Grades the council's method on a CSV file of resolved questions (docs/evaluate.md). Prints count and Brier score of council, market, blend, estimate, mean and each forecaster as JSON, the council without each forecaster, and what the bets would have claimed and earned. The lines of one set are the outcomes of one event, of which exactly one happens, or with exclusive 0 its independent markets. Needs no running service.",
    )
    .summary("grade the council's method on a CSV file of resolved questions")
    .argument(
      '<file>',
      'columns id,[event],[checkpoint],[set],[exclusive],outcome,market and one per forecaster; probabilities from 0 to 1',
    )
    .addOption(
      new Option(
        '--weights <id>',
        'the weights of the estimate: an id, or the path of an artefact; by default those that the service ships with',
      ).conflicts('fit'),
    )
    .option('--fit', 'estimate each question by coefficients that are fitted on the other events of the file')
    .addHelpText('after', examples('evaluate forecasts.csv', 'evaluate forecasts.csv --fit'))
    .action(async (file: string, { weights, fit }: { weights?: string; fit?: boolean }) => {
      evaluateForecasts(context.output, file, fit === true ? 'fit' : await chooseWeights(context, weights));
    });
}

/** Where the estimate of an evaluation comes from. */
export interface EstimateSource {
  /** True: each question is estimated by coefficients that were fitted on other events; otherwise by the weights. */
  readonly out_of_fold: boolean;
  /** The weights were trained on exactly these questions, so the figures of the estimate prove nothing. */
  readonly in_sample: boolean;
  readonly weights: { readonly id: string; readonly sha256: string } | null;
}

/** Grades the council's method on a file of resolved questions; prints JSON and a table. */
function evaluateForecasts(output: Output, file: string, estimateBy: 'fit' | StoredWeights): void {
  const { forecasters, reports } = readForecastFile(file);
  const questions = reports.flatMap(questionsOf);
  const estimates =
    estimateBy === 'fit'
      ? finish(estimateQuestionsOutOfFold(questions, blendCoefficients))
      : estimateQuestions(questions, estimateBy.weights);
  const evaluation = evaluate(forecasters, reports, estimates);
  const source = sourceOf(questions, estimateBy);
  const bets = evaluateBets(reports, estimates);
  for (const line of [...evaluationTable(evaluation, bets), describeSource(source)]) output.progress(line);
  const document = { ...evaluation, estimate_by: source, bets };
  output.result(document, JSON.stringify(document, null, 2));
}

function sourceOf(questions: readonly ResolvedQuestion[], estimateBy: 'fit' | StoredWeights): EstimateSource {
  if (estimateBy === 'fit') return { out_of_fold: true, in_sample: false, weights: null };
  const { weights, sha256 } = estimateBy;
  const rows = questions.map(questionSet).filter(set => set !== null);
  return {
    out_of_fold: false,
    in_sample: rowsSha256(rows) === weights.trained_on.rows_sha256,
    weights: { id: weights.id, sha256 },
  };
}

function describeSource({ out_of_fold, in_sample, weights }: EstimateSource): string {
  if (out_of_fold)
    return 'estimate: out of fold. Each question is estimated by coefficients fitted on other events.';
  return in_sample
    ? `estimate: in sample. The weights ${weights?.id} were trained on these questions; use --fit for figures out of fold.`
    : `estimate: by the weights ${weights?.id}, not refitted. It is out of sample if they were not trained on any of these questions.`;
}

/** The figures as text. */
export function evaluationTable(evaluation: Evaluation, bets: EvaluatedBets): string[] {
  return [...forecasterTable(evaluation), ...withoutTable(evaluation), ...betTable(bets)];
}

function forecasterTable(evaluation: Evaluation): string[] {
  const { council, market, blend, estimate, headline, mean, forecasters } = evaluation;
  const rows = Object.entries({ council, market, blend, estimate, headline, mean, ...forecasters });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${evaluation.questions} questions (${evaluation.multi_outcome} of more than two outcomes), method ${evaluation.method}, ${evaluation.conflicts} in conflict with the market, ${evaluation.below_quorum} without a council`,
    `${''.padEnd(width)}       n   Brier  95 %               minus market, 95 %`,
    ...rows.map(([name, graded]) => `${name.padEnd(width)}  ${figures(graded)}`),
  ];
}

/** The value of each member: the council without it. */
function withoutTable({ without }: Evaluation): string[] {
  const names = Object.keys(without);
  const width = Math.max(...names.map(name => name.length), 'without'.length);
  return [
    `${'without'.padEnd(width)}       n  minus council, 95 %; above 0 the council is worse without it`,
    ...Object.entries(without).map(([name, difference]) =>
      difference === null
        ? `${name.padEnd(width)}       0  none`
        : `${name.padEnd(width)}  ${String(difference.n).padStart(6)}  ${signed(difference.brier)}  ${range(difference.interval_95, signed)}`,
    ),
  ];
}

function figures({ n, brier, brier_interval_95: interval, minus_market: difference }: Graded): string {
  const count = String(n).padStart(6);
  if (brier === null) return `${count}  none`;
  const minusMarket =
    difference === null ? '' : `  ${signed(difference.brier)}  ${range(difference.interval_95, signed)}`;
  return `${count}  ${plain(brier)}  ${range(interval, plain)}${minusMarket}`;
}

function betTable({ by_kind: { edge, pick }, stakes, ...all }: EvaluatedBets): string[] {
  return [
    'bets        n  events  won: claimed, actual, 95 %           return: claimed, realised, 95 %',
    ...Object.entries({ edge, pick, all }).map(
      ([name, results]) => `${name.padEnd(6)}  ${betFigures(results)}`,
    ),
    ...stakeTable(stakes),
  ];
}

function stakeTable({
  n,
  events,
  mean_log_growth,
  interval_95,
  bankroll,
}: EvaluatedBets['stakes']): string[] {
  if (mean_log_growth === null) return [];
  return [
    'stakes      n  events  log growth an event, 95 %          a dollar became',
    `${'all'.padEnd(6)}  ${String(n).padStart(5)}  ${String(events).padStart(6)}  ` +
      `${`${signed(mean_log_growth)}, ${range(interval_95, signed)}`.padEnd(33)}  $${bankroll.toFixed(2)}`,
  ];
}

function betFigures(results: BetResults): string {
  const {
    n,
    events,
    claimed_win_rate,
    actual_win_rate,
    claimed_return_per_dollar,
    realised_return_per_dollar,
  } = results;
  const count = `${String(n).padStart(5)}  ${String(events).padStart(6)}`;
  if (claimed_win_rate === null || actual_win_rate === null) return `${count}  none`;
  if (claimed_return_per_dollar === null || realised_return_per_dollar === null) return `${count}  none`;
  const won = `${percent(claimed_win_rate)}, ${percent(actual_win_rate)}, ${range(results.actual_win_rate_interval_95, percent)}`;
  const earned = `${gain(claimed_return_per_dollar)}, ${gain(realised_return_per_dollar)}, ${range(results.realised_return_interval_95, gain)}`;
  return `${count}  ${won.padEnd(36)}  ${earned}`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

function gain(value: number): string {
  return `${value < 0 ? '' : '+'}${percent(value)}`;
}
