import { upsertMemo } from '@temporalio/workflow';
import type { CouncilReportInput } from '../../../workflows/council-report-input.js';
import { councilReport as presentReport } from '../../../workflows/index.js';

/**
 * The workflows of a next build: a report begins with a step that this build does not have. A run of this build cannot
 * be replayed on it, and the other way round.
 */
export async function councilReport(input: CouncilReportInput) {
  upsertMemo({ build: 'next' });
  return presentReport(input);
}
