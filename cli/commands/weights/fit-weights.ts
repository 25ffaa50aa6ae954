import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { utcDay } from '../../../council/calendar.js';
import { finish } from '../../../council/estimate/steps.js';
import { blendCoefficients, type Weights } from '../../../council/estimate/weights.js';
import { rowsSha256, weightsSha256 } from '../../../db/digests.js';
import { evaluate } from '../../../record/learning/evaluate.js';
import { evaluateBets } from '../../../record/learning/evaluate-bets.js';
import { estimateOutOfFold, fitWeights } from '../../../record/learning/fit-weights.js';
import { alignedEstimates, questionSet } from '../../../record/learning/question-sets.js';
import { questionsOf } from '../../../record/learning/resolved-reports.js';
import type { CommandContext } from '../../command-context.js';
import { examples } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';
import type { Output } from '../../terminal/output.js';
import { evaluationTable } from '../grading/evaluate-forecasts.js';
import { readForecastFile } from '../grading/read-forecasts.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('fit')
    .description(
      'Fits weights to a CSV file of resolved questions (docs/evaluate.md), shrunk towards the fixed blend of 80 % market and 20 % council. Prints the artefact as JSON, with what estimates out of fold scored. Needs no service and no database, and activates nothing.',
    )
    .summary('fit weights to a file of resolved questions')
    .argument('<file>', 'the file that `evaluate` reads')
    .option('--out <path>', 'the file to write the artefact to')
    .option('--id <id>', 'the id of the weights; by default fit- and the date', weightsId)
    .addHelpText('after', examples('weights fit forecasts.csv --out weights.json'))
    .action(async (file: string, { id, out }: { id?: string; out?: string }) => {
      const now = new Date();
      const chosen = { id: id ?? `fit-${utcDay(now)}`, now };
      fitWeightsToFile(context.output, file, out === undefined ? chosen : { ...chosen, out });
    });
}

function weightsId(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected lower-case letters, digits, dots and hyphens, at most 64.');
}

interface FitOptions {
  readonly id: string;
  /** The file for the artefact. */
  readonly out?: string;
  readonly now: Date;
}

/**
 * Fits weights to a file of resolved questions, shrunk towards the fixed blend. Prints the artefact, and what estimates
 * out of fold scored.
 */
function fitWeightsToFile(output: Output, file: string, { id, out, now }: FitOptions): void {
  const { forecasters, reports } = readForecastFile(file);
  const sets = reports.flatMap(questionsOf).map(questionSet);
  const usable = sets.filter(set => set !== null);
  if (usable.length === 0) {
    throw new Failure('No question of the file has a price and at least two forecasts.', {
      next: 'Fill in the column market; docs/evaluate.md describes the file.',
    });
  }
  const outOfFold = finish(estimateOutOfFold(usable, blendCoefficients));
  const weights = finish(
    fitWeights({
      id,
      sets: usable,
      outOfFold,
      rowsSha256: rowsSha256(usable),
      incumbent: blendCoefficients,
      createdAt: now.toISOString(),
    }),
  );
  const estimates = alignedEstimates(sets, outOfFold);
  const evaluation = evaluate(forecasters, reports, estimates);
  const bets = evaluateBets(reports, estimates);
  if (out !== undefined) writeArtefact(out, weights);
  output.progress('Out of fold: each question is estimated by coefficients fitted on other events.');
  for (const line of evaluationTable(evaluation, bets)) output.progress(line);
  const { estimate, market, blend } = evaluation;
  const document = {
    ...weights,
    sha256: weightsSha256(weights),
    cross_validated: { estimate, market, blend, bets },
  };
  output.result(document, JSON.stringify(document, null, 2));
  if (out !== undefined)
    output.next(`Written to ${out}. Try it on other questions: evaluate FILE --weights ${out}`);
}

function writeArtefact(path: string, weights: Weights): void {
  try {
    writeFileSync(path, `${JSON.stringify(weights, null, 2)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`${path} cannot be written: ${reason}`, {
      next: 'Choose another --out.',
      cause: error,
    });
  }
}
