import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConcludedReport } from '../activities/report/report-activities.js';
import type { RefundReceipt } from '../council/purchase/purchase.js';
import { type RunFailureCode, runFailures } from '../council/report.js';
import { type Progress, searchAttributes } from './report-interface.js';

/**
 * What operators see of a run. Search attributes are written as rarely as possible, because the server writes each
 * change into every index of its visibility store; those of the last workflow task cost nothing extra.
 */
export class RunStatus {
  private stage: Progress['stage'] = 'purchase';
  private reportId: number | null = null;
  /** The ID that the run was started with, and that its search attributes already name. */
  private readonly reservedId: number;

  constructor(reservedId: number) {
    this.reservedId = reservedId;
  }

  progress(): Progress {
    return { stage: this.stage };
  }

  sold(reportId: number): void {
    this.reportId = reportId;
    if (reportId === this.reservedId) return;
    upsertSearchAttributes([
      { key: searchAttributes.ReportId, value: reportId },
      { key: searchAttributes.ReportStatus, value: 'processing' },
    ]);
  }

  /** Removes the attributes that the run was started with: a search must not find it as a report's run. */
  nothingSold(): void {
    upsertSearchAttributes([noReportId, noReportStatus]);
  }

  enterStage(stage: Progress['stage']): void {
    this.stage = stage;
    setCurrentDetails(`${this.report()}: ${stage.replace('_', '-')}`);
  }

  completed({ action, mostLikelyOutcome, conflict, degraded }: ConcludedReport): void {
    const flags = `${conflict ? ', in conflict with the market' : ''}${degraded ? ', degraded' : ''}`;
    setCurrentDetails(`${this.report()} completed: ${mostLikelyOutcome}, ${action}${flags}`);
    upsertSearchAttributes([
      { key: searchAttributes.ReportStatus, value: 'completed' },
      { key: searchAttributes.Degraded, value: degraded },
    ]);
  }

  failed(failure: RunFailureCode, { credits }: RefundReceipt): void {
    setCurrentDetails(
      `${this.report()} failed: ${failure}. Refunded: ${credits} credits.\n\n${runFailures[failure]}`,
    );
    const failed = { key: searchAttributes.ReportStatus, value: 'failed' };
    upsertSearchAttributes(this.reportId === null ? [failed, noReportId] : [failed]);
  }

  private report(): string {
    return this.reportId === null ? 'The report' : `Report ${this.reportId}`;
  }
}

const noReportId = { key: searchAttributes.ReportId, value: null };
const noReportStatus = { key: searchAttributes.ReportStatus, value: null };
