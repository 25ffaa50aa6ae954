import { isCancellation, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { GradingActivities } from '../activities/grading/grading-activities.js';
import type { GradingFailure } from '../council/track-record/grading.js';
import { bounded } from './activity-options.js';
import { BatchRecord } from './batch-record.js';
import type { RegradeInput } from './regrade-input.js';

/**
 * One batch, over all its runs. Invariants: never more pages at once than the window; a page that ends, however it
 * ends, frees its place; a run is only left when no page of it is under way, so that everything up to the cursor is
 * done; cancellation is never mistaken for a page that failed.
 */
export class GradingBatch {
  readonly record: BatchRecord;
  private readonly order: RegradeInput;
  private pages = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private everyReportTaken = false;

  constructor(order: RegradeInput) {
    this.order = order;
    this.record = new BatchRecord(order.from);
  }

  /** Page after page. @returns false when the run is full before all events are read. */
  async resolveEvents(): Promise<boolean> {
    const { selection, terms } = this.order;
    while (this.record.state.phase === 'resolving') {
      if (this.isFull()) return false;
      const after = this.record.state.lastEvent;
      const eventIds = await this.lists().listEventsToResolve({ selection, after, limit: terms.page_size });
      this.pages++;
      await this.resolvePage(eventIds);
      this.record.note({ lastEvent: eventIds.at(-1) ?? after });
      if (eventIds.length < terms.page_size) {
        this.record.note({ phase: 'grading', of: await this.lists().countReportsToGrade(selection) });
      }
    }
    return true;
  }

  /** A few pages at once. @returns false when the run is full before all reports are graded. */
  async gradeReports(): Promise<boolean> {
    const lanes = Array.from({ length: this.order.terms.window }, () => this.gradePages());
    // All of them, before the first failure is told: nothing may be under way when the run ends.
    for (const lane of await Promise.allSettled(lanes)) {
      if (lane.status === 'rejected') throw lane.reason;
    }
    return this.everyReportTaken;
  }

  async refreshRecord(): Promise<void> {
    this.record.note({ phase: 'refreshing' });
    const { refreshRecord } = proxyActivities<GradingActivities>({
      ...bounded(this.order.terms.policies.refresh),
      summary: 'refresh the published figures',
    });
    await refreshRecord();
    this.record.note({ phase: 'done' });
  }

  private async resolvePage(eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await this.unlessGivenUp('event', eventIds, async () => {
      const step = this.page(`resolve ${eventIds.length} events from ${eventIds[0]}`);
      this.record.add(await step.resolveEvents({ eventIds }));
    });
  }

  private async gradePages(): Promise<void> {
    for (;;) {
      const reportIds = await this.nextReports();
      if (reportIds.length === 0) return;
      await this.unlessGivenUp('report', reportIds, async () => {
        const step = this.page(`grade reports ${reportIds[0]} to ${reportIds.at(-1)}`);
        this.record.add(await step.gradeReports({ reportIds }));
      });
    }
  }

  /** Pages are listed one after the other, whichever lane asks. None when all are taken, or the run is full. */
  private nextReports(): Promise<number[]> {
    const page = this.turn.then(() => this.listReports());
    this.turn = page.catch(() => undefined);
    return page;
  }

  private async listReports(): Promise<number[]> {
    if (this.everyReportTaken || this.isFull()) return [];
    const { selection, terms } = this.order;
    const after = this.record.state.lastReport;
    const reportIds = await this.lists().listReportsToGrade({ selection, after, limit: terms.page_size });
    this.pages++;
    this.everyReportTaken = reportIds.length < terms.page_size;
    this.record.note({ lastReport: reportIds.at(-1) ?? after });
    return reportIds;
  }

  private async unlessGivenUp(
    subject: GradingFailure['subject'],
    ids: readonly (string | number)[],
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error('a page was given up', { subject, first: ids[0], last: ids.at(-1), error: String(error) });
      this.record.add({ failures: ids.map(id => ({ subject, id: String(id), reason: 'gave_up' })) });
    }
  }

  private isFull(): boolean {
    return this.pages >= this.order.terms.pages_per_run || workflowInfo().continueAsNewSuggested;
  }

  private lists(): GradingActivities {
    return proxyActivities<GradingActivities>(bounded(this.order.terms.policies.list));
  }

  private page(summary: string): GradingActivities {
    const { heartbeat_ms: heartbeatTimeout, ...policy } = this.order.terms.policies.page;
    return proxyActivities<GradingActivities>({ ...bounded(policy), heartbeatTimeout, summary });
  }
}
