import { isCancellation, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { Mutex } from 'async-mutex';
import type { GradingActivities } from '../activities/grading/grading-activities.js';
import type { GradingFailure, GradingSelection } from '../record/grades/grading.js';
import { databaseWrite, gradingPage, recordRefresh } from './activity-options.js';
import { BatchProgress, type GradingState } from './batch-progress.js';

export interface RegradeInput {
  readonly selection: GradingSelection;
  readonly settings: GradingSettings;
  /** Where the previous run of the batch stopped. */
  readonly from?: GradingState;
}

/** How a batch works; operators set these in `temporal.yaml`. */
export interface GradingSettings {
  /** Events or reports per page. */
  readonly page_size: number;
  /** Pages graded at the same time. */
  readonly window: number;
  /** The batch continues in a new run, with an empty history, after this many pages. */
  readonly pages_per_run: number;
}

const { listEventsToResolve, listReportsToGrade, countReportsToGrade } =
  proxyActivities<GradingActivities>(databaseWrite);
const { refreshRecord } = proxyActivities<GradingActivities>({
  ...recordRefresh,
  summary: 'refresh the published figures',
});

/**
 * One batch, over all its runs. Invariants: never more pages at the same time than `window`; a page that ends,
 * successfully or not, makes room for the next; a run continues as new only when no page is in progress, so that
 * everything up to the cursor is done; cancellation is never counted as a failed page.
 */
export class GradingBatch {
  readonly progress: BatchProgress;
  private readonly input: RegradeInput;
  private readonly listing = new Mutex();
  private pages = 0;
  private isEveryReportListed = false;

  constructor(input: RegradeInput) {
    this.input = input;
    this.progress = new BatchProgress(input.from);
  }

  /** Page after page. @returns false when the run is full before all events are resolved. */
  async resolveEvents(): Promise<boolean> {
    const { selection, settings } = this.input;
    while (this.progress.state.phase === 'resolving') {
      if (this.isFull()) return false;
      const after = this.progress.state.lastEvent;
      const eventIds = await listEventsToResolve({ selection, after, limit: settings.page_size });
      this.pages++;
      await this.resolvePage(eventIds);
      this.progress.update({ lastEvent: eventIds.at(-1) ?? after });
      if (eventIds.length < settings.page_size) {
        this.progress.update({ phase: 'grading', of: await countReportsToGrade(selection) });
      }
    }
    return true;
  }

  /** Up to `window` pages at the same time. @returns false when the run is full before all reports are graded. */
  async gradeReports(): Promise<boolean> {
    const lanes = Array.from({ length: this.input.settings.window }, () => this.gradePages());
    // Wait for all lanes before throwing: no page may be in progress when the run ends.
    for (const lane of await Promise.allSettled(lanes)) {
      if (lane.status === 'rejected') throw lane.reason;
    }
    return this.isEveryReportListed;
  }

  async refreshRecord(): Promise<void> {
    this.progress.update({ phase: 'refreshing' });
    await refreshRecord();
    this.progress.update({ phase: 'done' });
  }

  private async resolvePage(eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await this.recordFailure('event', eventIds, async () => {
      const { resolveEvents } = pageActivities(`resolve ${eventIds.length} events from ${eventIds[0]}`);
      this.progress.addPage(await resolveEvents({ eventIds }));
    });
  }

  private async gradePages(): Promise<void> {
    for (;;) {
      const reportIds = await this.listing.runExclusive(() => this.nextPage());
      if (reportIds.length === 0) return;
      await this.recordFailure('report', reportIds, async () => {
        const { gradeReports } = pageActivities(`grade reports ${reportIds[0]} to ${reportIds.at(-1)}`);
        this.progress.addPage(await gradeReports({ reportIds }));
      });
    }
  }

  /** Empty when every report is listed, or the run is full. */
  private async nextPage(): Promise<number[]> {
    if (this.isEveryReportListed || this.isFull()) return [];
    const { selection, settings } = this.input;
    const after = this.progress.state.lastReport;
    const reportIds = await listReportsToGrade({ selection, after, limit: settings.page_size });
    this.pages++;
    this.isEveryReportListed = reportIds.length < settings.page_size;
    this.progress.update({ lastReport: reportIds.at(-1) ?? after });
    return reportIds;
  }

  private async recordFailure(
    subject: GradingFailure['subject'],
    ids: readonly (string | number)[],
    processPage: () => Promise<void>,
  ): Promise<void> {
    try {
      await processPage();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error('a page failed after all retries', {
        subject,
        first: ids[0],
        last: ids.at(-1),
        error: String(error),
      });
      this.progress.addPage({ failures: ids.map(id => ({ subject, id: String(id), reason: 'gave_up' })) });
    }
  }

  private isFull(): boolean {
    return this.pages >= this.input.settings.pages_per_run || workflowInfo().continueAsNewSuggested;
  }
}

function pageActivities(summary: string): GradingActivities {
  return proxyActivities<GradingActivities>({ ...gradingPage, summary });
}
