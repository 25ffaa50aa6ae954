import { upsertMemo } from '@temporalio/workflow';
import { councilReport as presentReport } from '../../../workflows/index.js';
import type { CouncilReportInput } from '../../../workflows/report-interface.js';

/**
 * The workflows of the next build. A report begins with a step that this build does not have, so neither
 * build can replay the runs of the other.
 */
export async function councilReport(input: CouncilReportInput) {
  upsertMemo({ build: 'next' });
  return presentReport(input);
}
