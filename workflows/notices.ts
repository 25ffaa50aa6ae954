import { setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConcludedReport } from '../activities/report/report-activities.js';
import type { RefundReceipt } from '../council/purchase/purchase.js';
import { type RunFailureCode, runFailures } from '../council/report.js';
import type { CouncilReportInput } from './council-report-input.js';
import { type Progress, progress } from './messages.js';
import { searchAttributes } from './search-attributes.js';

/**
 * What operators see of a run while it runs and afterwards. Few upserts: each is written into every index of the server's
 * visibility, but for those with which a run ends, which are written with its end.
 */
export class Notices {
  private stage: Progress['stage'] = 'purchase';
  private reportId: number | undefined;
  private readonly reserved: number | undefined;

  constructor({ reportId }: Pick<CouncilReportInput, 'reportId'>) {
    this.reserved = reportId;
    setHandler(progress, () => ({ stage: this.stage }), { description: 'Where the run is.' });
  }

  bought(id: number): void {
    this.reportId = id;
    // The run was started under this number already.
    if (id === this.reserved) return;
    upsertSearchAttributes([
      { key: searchAttributes.ReportId, value: id },
      { key: searchAttributes.ReportStatus, value: 'processing' },
    ]);
  }

  /** There is no report, so that the run must not be found as one's. */
  nothingSold(): void {
    if (this.reserved !== undefined) upsertSearchAttributes([noReport, noStatus]);
  }

  at(stage: Progress['stage']): void {
    this.stage = stage;
    setCurrentDetails(`${this.report()} is at: ${stage.replace('_', '-')}`);
  }

  completed({ action, mostLikelyOutcome, conflict, degraded }: ConcludedReport): void {
    const flags = `${conflict ? ', in conflict with the market' : ''}${degraded ? ', degraded' : ''}`;
    setCurrentDetails(`${this.report()} is completed: ${mostLikelyOutcome}, ${action}${flags}`);
    upsertSearchAttributes([
      { key: searchAttributes.ReportStatus, value: 'completed' },
      { key: searchAttributes.Degraded, value: degraded },
    ]);
  }

  refunded(failure: RunFailureCode, { credits }: RefundReceipt): void {
    setCurrentDetails(
      `${this.report()} failed: ${failure}. Refunded: ${credits} credits.\n\n${runFailures[failure]}`,
    );
    const failed = { key: searchAttributes.ReportStatus, value: 'failed' };
    upsertSearchAttributes(
      this.reserved === undefined || this.reportId !== undefined ? [failed] : [failed, noReport],
    );
  }

  private report(): string {
    return this.reportId === undefined ? 'The report' : `Report ${this.reportId}`;
  }
}

const noReport = { key: searchAttributes.ReportId, value: null };
const noStatus = { key: searchAttributes.ReportStatus, value: null };
