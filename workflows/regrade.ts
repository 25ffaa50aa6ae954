import { continueAsNew } from '@temporalio/workflow';
import type { GradingResult } from '../council/track-record/grading.js';
import { GradingBatch } from './grading-batch.js';
import type { RegradeInput } from './regrade-input.js';

/**
 * Grades a selection of reports. First the market is asked how their events ended, page by page; then the reports are
 * graded, a few pages at once; at the end the published figures are made new. A page or a report that fails is named
 * in the result and holds up nothing. A batch of any length goes on in a new run before its history grows long.
 */
export async function regrade(order: RegradeInput): Promise<GradingResult> {
  const batch = new GradingBatch(order);
  const done = (await batch.resolveEvents()) && (await batch.gradeReports());
  if (!done) return continueAsNew<typeof regrade>({ ...order, from: batch.record.state });
  await batch.refreshRecord();
  return batch.record.result();
}
