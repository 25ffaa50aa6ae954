import { upsertMemo } from '@temporalio/workflow';
import { councilReport as presentReport } from '../../../workflows/index.js';
import type { CouncilReportInput } from '../../../workflows/report-interface.js';

/**
 * The workflows of a next build: a report begins with a step that this build does not have. A run of this build cannot
 * be replayed on it, and the other way round.
 */
export async function councilReport(input: CouncilReportInput) {
  upsertMemo({ build: 'next' });
  return presentReport(input);
}
