import {
  allHandlersFinished,
  CancellationScope,
  condition,
  proxyActivities,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { Mutex } from 'async-mutex';
import type { ReportActivities } from '../activities/report/report-activities.js';
import type { RunFailureCode } from '../council/report.js';
import {
  isRefusal,
  type PurchaseOutcome,
  type PurchaseRequest,
  type RefundReceipt,
} from '../purchase/purchase.js';
import { purchaseDecision, untilDone } from './activity-options.js';
import type { CouncilReportInput } from './report-interface.js';

const { purchaseReport } = proxyActivities<ReportActivities>({ ...purchaseDecision, summary: 'purchase' });
const { settlePurchase } = proxyActivities<ReportActivities>({
  ...untilDone,
  summary: 'settle the purchase',
});
const { refundReport } = proxyActivities<ReportActivities>({ ...untilDone, summary: 'refund' });

/** A run starts with its first purchase. If none has arrived after this time, the run was started by mistake. */
const firstPurchaseWait = '1 minute';

/**
 * Handles the `purchase` updates of one run, one at a time, and sells at most one fresh report: that of the ID with
 * which the run was started. A charge can commit even when its response is lost: a purchase whose outcome is unknown is
 * settled in the database, where it counts if it was charged, and is withdrawn if not.
 */
export class PurchaseHandler {
  private sale: Pick<PurchaseRequest, 'purchaseId' | 'minMembers'> | null = null;
  private isEnding = false;
  private pending = 0;
  private handled = 0;
  private readonly mutex = new Mutex();
  private readonly input: CouncilReportInput;

  constructor(input: CouncilReportInput) {
    this.input = input;
  }

  async handle(request: PurchaseRequest): Promise<PurchaseOutcome> {
    this.pending++;
    try {
      return await this.mutex.runExclusive(() => this.purchase(request));
    } finally {
      this.pending--;
      this.handled++;
    }
  }

  /** Whether the report was sold; false when every purchase was refused or answered with an existing report. */
  async hasSold(): Promise<boolean> {
    // A timer that is not needed would be two events more in every history.
    await (this.pending > 0
      ? condition(() => this.isDecided())
      : condition(() => this.isDecided(), firstPurchaseWait));
    if (this.sale === null) await this.close();
    return this.sale !== null;
  }

  /** The fewest opinions for which the report was sold; undefined if its buyer asked for no number. */
  get minMembers(): number | undefined {
    return this.sale?.minMembers;
  }

  /** Refunds the run's charge, even when the run is cancelled. Retries until it is done. */
  async refund(failure: RunFailureCode): Promise<RefundReceipt> {
    return CancellationScope.nonCancellable(async () => {
      await this.close();
      if (this.sale === null) return { reportId: null, credits: 0, isDelivered: false };
      const { purchaseId } = this.sale;
      return refundReport({ purchaseId, accountId: this.input.accountId, failure });
    });
  }

  /** Stops selling and waits for the purchases in progress: a run that has ended must not charge anybody. */
  async close(): Promise<void> {
    this.isEnding = true;
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  }

  /**
   * Runs a local activity while no purchase is in progress; purchases that arrive meanwhile wait for it. The activity
   * is recorded when its workflow task ends. If a purchase ended in the same task, a replay could find the two in
   * another order, and the run would stop.
   */
  whileIdle<Result>(localActivity: () => Promise<Result>): Promise<Result> {
    return this.mutex.runExclusive(localActivity);
  }

  private isDecided(): boolean {
    return this.sale !== null || (this.handled > 0 && this.pending === 0);
  }

  private async purchase(request: PurchaseRequest): Promise<PurchaseOutcome> {
    const { purchaseId, accountId, minMembers } = request;
    const outcome = await this.decide(request).catch(() =>
      CancellationScope.nonCancellable(() => settlePurchase({ purchaseId, accountId })),
    );
    if (this.isFreshSale(outcome))
      this.sale = minMembers === undefined ? { purchaseId } : { purchaseId, minMembers };
    return outcome;
  }

  private decide(request: PurchaseRequest): Promise<PurchaseOutcome> {
    const allowed = this.sale === null && !this.isEnding ? 'fresh' : 'existing';
    return purchaseReport({
      request,
      allowed,
      reportId: this.input.reportId,
      eventTitle: this.input.eventTitle,
      workflowId: workflowInfo().workflowId,
      seed: uuid4(),
      searchers: this.input.research?.searchers ?? [],
    });
  }

  /**
   * A replayed receipt answers an earlier request; this purchase was not charged. That of another report is of an
   * earlier run under this workflow ID, which an operator terminated: maintenance refunds it.
   */
  private isFreshSale(outcome: PurchaseOutcome): boolean {
    if (outcome === 'fresh_needed' || isRefusal(outcome) || outcome.replayed) return false;
    return outcome.kind === 'fresh' && outcome.reportId === this.input.reportId;
  }
}
