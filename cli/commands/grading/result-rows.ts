import { z } from 'zod';
import { distributionSumTolerancePercent } from '../../../council/method.js';
import { atLeast, sum } from '../../../council/numbers.js';
import { outcomesOf } from '../../../record/regrading/answers.js';
import type { GradableRow, Numbers } from '../../../record/regrading/gradable-row.js';
import { fromCells } from './cells.js';
import { type FileRow, parseRow, type RowFile } from './file-rows.js';

/** Whether a row is one of the results of a batch. */
export function isBatchResult(first: RowFile['first']): boolean {
  return 'event_id' in first && 'record_seq' in first && 'council' in first;
}

/** The results of batches, in percent as the service sends them: JSON lines, or a table with the maps as JSON. */
export function* batchRows(files: readonly RowFile[]): Generator<[GradableRow, FileRow]> {
  for (const file of files) {
    const shape = file.isTable ? tableShape : rowShape;
    for (const row of file.rows()) yield [gradableRow(parseRow(shape, row)), row];
  }
}

const percents = z.record(z.string(), z.number().min(0).max(100).nullable()).nullable();

const rowShape = z.object({
  event_id: z.string().min(1),
  report_id: z.int().positive().nullable(),
  council: percents,
  market: percents,
  estimate: percents.default(null),
  credits: z.number().min(0).nullable(),
  exclusive: z.boolean().nullable().default(null),
});
type BatchResult = z.output<typeof rowShape>;

const tableShape = fromCells(rowShape, {
  numbers: ['report_id', 'credits'],
  json: ['council', 'market', 'estimate', 'exclusive'],
});

function gradableRow(result: BatchResult): GradableRow {
  const { event_id, report_id, council } = result;
  const names = Object.keys(council ?? {});
  const numbers = (of: BatchResult['council']): Numbers | null =>
    of && names.map(name => (of[name] === undefined || of[name] === null ? null : of[name] / 100));
  const exclusive = result.exclusive ?? isDistribution(numbers(council) ?? []);
  return {
    id: report_id === null ? 'no report' : `report ${report_id}`,
    event: event_id,
    exclusive,
    outcomes: outcomesOf(names, exclusive),
    resolutions: {},
    paid: {},
    council: numbers(council),
    market: numbers(result.market),
    market_at_close_1d: null,
    estimate: numbers(result.estimate),
    members: {},
    disputed: null,
    rules_changed: null,
    credits: result.credits,
    old: null,
  };
}

const sumTolerance = distributionSumTolerancePercent / 100;

/** A report of independent markets publishes numbers that add up to anything. */
function isDistribution(row: Numbers): boolean {
  return row.length > 1 && atLeast(sumTolerance, Math.abs(sum(row.map(p => p ?? 0)) - 1));
}
