import { setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConcludedReport } from '../activities/report-activities.js';
import type { RefundReceipt } from '../council/purchase.js';
import { type RunFailureCode, runFailures } from '../council/run-failure.js';
import { type Progress, progress } from './messages.js';
import { searchAttributes } from './search-attributes.js';

/** What operators see of a run while it runs and afterwards. Few upserts: each is a visibility write. */
export class Notices {
  private stage: Progress['stage'] = 'purchase';
  private report = 'The report';

  constructor() {
    setHandler(progress, () => ({ stage: this.stage }), { description: 'Where the run is.' });
  }

  bought(id: number): void {
    this.report = `Report ${id}`;
    upsertSearchAttributes([
      { key: searchAttributes.ReportId, value: id },
      { key: searchAttributes.ReportStatus, value: 'processing' },
    ]);
  }

  at(stage: Progress['stage']): void {
    this.stage = stage;
    setCurrentDetails(`${this.report} is at: ${stage.replace('_', '-')}`);
  }

  completed({ action, mostLikelyOutcome, conflict, degraded }: ConcludedReport): void {
    const flags = `${conflict ? ', in conflict with the market' : ''}${degraded ? ', degraded' : ''}`;
    setCurrentDetails(`${this.report} is completed: ${mostLikelyOutcome}, ${action}${flags}`);
    upsertSearchAttributes([
      { key: searchAttributes.ReportStatus, value: 'completed' },
      { key: searchAttributes.Degraded, value: degraded },
    ]);
  }

  refunded(failure: RunFailureCode, { credits }: RefundReceipt): void {
    setCurrentDetails(
      `${this.report} failed: ${failure}. Refunded: ${credits} credits.\n\n${runFailures[failure]}`,
    );
    upsertSearchAttributes([{ key: searchAttributes.ReportStatus, value: 'failed' }]);
  }
}
