import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConcludedReport } from '../activities/report/report-activities.js';
import { type RunFailureCode, runFailures } from '../council/report.js';
import type { RefundReceipt } from '../purchase/purchase.js';
import { type Progress, searchAttributes } from './report-interface.js';

/**
 * What operators see of a run. Search attributes are written as rarely as possible, because the server writes each
 * change into every index of its visibility store; those of the last workflow task cost nothing extra. A run is started
 * with those of a report in progress, so that it is found by them however it ends.
 */
export class RunStatus {
  private stage: Progress['stage'] = 'purchase';
  private readonly reportId: number;

  constructor(reportId: number) {
    this.reportId = reportId;
  }

  progress(): Progress {
    return { stage: this.stage };
  }

  enterStage(stage: Progress['stage']): void {
    this.stage = stage;
    setCurrentDetails(`Report ${this.reportId}: ${stage.replace('_', '-')}`);
  }

  /** Removes the attributes that the run was started with: a search must not find it as a report's run. */
  nothingSold(): void {
    upsertSearchAttributes([
      { key: searchAttributes.ReportId, value: null },
      { key: searchAttributes.ReportStatus, value: null },
    ]);
  }

  completed({ action, mostLikelyOutcome, conflict, degraded }: ConcludedReport): void {
    const flags = `${conflict ? ', in conflict with the market' : ''}${degraded ? ', degraded' : ''}`;
    setCurrentDetails(`Report ${this.reportId} completed: ${mostLikelyOutcome}, ${action}${flags}`);
    upsertSearchAttributes([
      { key: searchAttributes.ReportStatus, value: 'completed' },
      { key: searchAttributes.Degraded, value: degraded },
    ]);
  }

  failed(failure: RunFailureCode, { reportId, credits }: RefundReceipt): void {
    if (reportId === null) {
      setCurrentDetails(`Nothing was sold: ${failure}.`);
      this.nothingSold();
      return;
    }
    setCurrentDetails(
      `Report ${reportId} failed: ${failure}. Refunded: ${credits} credits.\n\n${runFailures[failure]}`,
    );
    upsertSearchAttributes([{ key: searchAttributes.ReportStatus, value: 'failed' }]);
  }
}
