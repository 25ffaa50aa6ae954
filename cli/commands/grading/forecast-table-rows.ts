import { at } from '../../../council/numbers.js';
import { impliedBy, questionsOf } from '../../../record/learning/resolved-reports.js';
import { answerOf, outcomesOf, withAnswers } from '../../../record/regrading/answers.js';
import type { GradableRow, Numbers } from '../../../record/regrading/gradable-row.js';
import { badFile, type FileRow, type RowFile } from './file-rows.js';
import { openForecastFile, type ReadReport } from './read-forecasts.js';

/** Whether a row is a line of the table that `evaluate` reads. */
export function isForecastTable(first: RowFile['first']): boolean {
  return 'id' in first && 'outcome' in first && 'market' in first;
}

/** The reports of tables of resolved questions, with the council that `evaluate` computes. */
export function* forecastTableRows(files: readonly RowFile[]): Generator<[GradableRow, FileRow]> {
  for (const { name } of files) {
    const row = { file: name, line: 1, value: null, text: '', path: [] };
    try {
      const { forecasters, reports } = openForecastFile(name);
      for (const report of reports()) yield [gradableRow(report, forecasters), row];
    } catch (error) {
      throw inFile(name, error);
    }
  }
}

/** `evaluate` has one file, and names its lines alone. */
function inFile(name: string, error: unknown): unknown {
  const isNamed = !(error instanceof Error) || error.message.startsWith(name);
  return isNamed ? error : badFile(name, error.message.replace(/\.$/, ''));
}

/** The name of the one outcome of a yes/no question. */
const yes = 'Yes';

function gradableRow({ report, id, closingPrices }: ReadReport, forecasters: readonly string[]): GradableRow {
  const { event, markets } = report;
  const exclusive = report.exclusive && markets.length > 1;
  const names = markets.length === 1 ? [yes] : markets.map(({ name }) => name);
  const questions = questionsOf(report);
  const council = exclusive
    ? at(questions, 0).council
    : questions.map(question => question.council?.[0] ?? null);
  const prices = (of: readonly (number | null)[]): Numbers | null =>
    exclusive ? impliedBy(of.map(price => ({ price }))) : of;
  const row: GradableRow = {
    id,
    event,
    exclusive,
    outcomes: outcomesOf(names, exclusive),
    resolutions: {},
    paid: {},
    council,
    market: prices(markets.map(({ price }) => price)),
    market_at_close_1d: closingPrices && prices(closingPrices),
    estimate: null,
    members: Object.fromEntries(
      forecasters.flatMap((name, column) => {
        const forecast = at(report.forecasts, column);
        return forecast === null ? [] : [[name, forecast]];
      }),
    ),
    disputed: null,
    rules_changed: null,
    credits: null,
    old: null,
  };
  return withAnswers(
    row,
    markets.map(({ outcome }, index) => answerOf(at(names, index), outcome === 1 ? 'yes' : 'no')),
  );
}
