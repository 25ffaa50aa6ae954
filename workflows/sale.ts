import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  proxyActivities,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReportActivities } from '../activities/report/report-activities.js';
import {
  isRefusal,
  notMade,
  type PurchaseOutcome,
  type PurchaseRequest,
  type Receipt,
  type RefundReceipt,
} from '../council/purchase/purchase.js';
import type { RunFailureCode } from '../council/report.js';
import { bounded, unbounded } from './activity-options.js';
import { type CouncilReportInput, isLean } from './council-report-input.js';
import { counterClosed, purchase } from './messages.js';

/** A run starts together with its first purchase; one that hears of none by then was started for nothing. */
const firstPurchaseWait = '1 minute';

const nothingTaken: RefundReceipt = { reportId: null, credits: 0 };

export interface Sold {
  readonly purchaseId: string;
  readonly reportId: number;
}

/**
 * The counter of one run: serves every purchase that meets here, one after the other, and sells at most one
 * fresh report. Each wish is registered for refund BEFORE it is charged: a charge may commit and its answer
 * still be lost.
 */
export class Sale {
  private sold: Sold | null = null;
  private ending = false;
  private isClosed = false;
  private served = 0;
  private waiting = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly sell: ReportActivities['purchaseReport'];
  private readonly giveBack: ReportActivities['refundReport'];
  private readonly order: CouncilReportInput;
  private reserved: number | undefined;

  constructor(order: CouncilReportInput) {
    this.order = order;
    this.reserved = order.reportId;
    this.sell = proxyActivities<ReportActivities>({
      ...bounded(order.policies.purchase),
      summary: 'purchase',
    }).purchaseReport;
    this.giveBack = proxyActivities<ReportActivities>({
      ...unbounded(order.policies.refund),
      summary: 'refund',
    }).refundReport;
    setHandler(purchase, request => this.inTurn(() => this.serve(request)), {
      description: 'Buys the report. Answers with the receipt or the reason why not; charges at most once.',
      validator: (_request: PurchaseRequest) => {
        if (this.isClosed)
          throw ApplicationFailure.nonRetryable('Ask again: what was bought is there.', counterClosed);
      },
    });
  }

  /** The fresh report that was sold; null when every wish was refused, or met by a report that exists. */
  async freshReport(): Promise<Sold | null> {
    // The purchase that a run was started with is here already; one that never came must not be waited for for ever.
    const boughtAtOnce = this.waiting > 0 && isLean(this.order);
    await (boughtAtOnce
      ? condition(() => this.decided())
      : condition(() => this.decided(), firstPurchaseWait));
    if (this.sold === null) await this.close();
    return this.sold;
  }

  /**
   * Does a local step with nobody at the counter: waits until all are served, and turns away who comes meanwhile. A local step is
   * written down when its workflow task ends; had a purchase its end in the same task, replay would find the two in
   * another order, and the run would stand still for ever.
   */
  async withCounterClosed<Result>(step: () => Promise<Result>): Promise<Result> {
    if (!isLean(this.order)) return step();
    await condition(allHandlersFinished);
    this.isClosed = true;
    try {
      return await step();
    } finally {
      this.isClosed = false;
    }
  }

  private decided(): boolean {
    return this.sold !== null || (this.served > 0 && this.waiting === 0);
  }

  /** Gives the money of the run back, whatever else is being cancelled, for as long as it takes. */
  async refund(failure: RunFailureCode): Promise<RefundReceipt> {
    return CancellationScope.nonCancellable(async () => {
      await this.close();
      return this.sold === null ? nothingTaken : this.refundOf(this.sold.purchaseId, failure);
    });
  }

  /** Sells no more, and lets those finish who are at the counter: nobody is charged by a run that has ended. */
  async close(): Promise<void> {
    this.ending = true;
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  }

  private async serve(request: PurchaseRequest): Promise<PurchaseOutcome> {
    try {
      const reach = this.sold === null && !this.ending ? 'fresh' : 'existing';
      const outcome = await this.sell({
        request,
        reach,
        ...(reach === 'fresh' ? this.takeReserved() : {}),
        eventTitle: this.order.eventTitle,
        workflowId: workflowInfo().workflowId,
        seed: uuid4(),
      });
      if (isSale(outcome)) this.sold = { purchaseId: request.purchaseId, reportId: outcome.reportId };
      return outcome;
    } catch {
      await CancellationScope.nonCancellable(() => this.refundOf(request.purchaseId, 'internal'));
      return notMade;
    }
  }

  /** Goes with the first wish that may open a report, and no other: a wish whose fate is unknown may have used it. */
  private takeReserved(): { reportId?: number } {
    const { reserved } = this;
    this.reserved = undefined;
    return reserved === undefined ? {} : { reportId: reserved };
  }

  private async refundOf(purchaseId: string, failure: RunFailureCode): Promise<RefundReceipt> {
    return this.giveBack({ purchaseId, accountId: this.order.accountId, failure });
  }

  private async inTurn<Answer>(serve: () => Promise<Answer>): Promise<Answer> {
    this.waiting++;
    const turn = this.queue.then(serve, serve);
    this.queue = turn;
    try {
      return await turn;
    } finally {
      this.waiting--;
      this.served++;
    }
  }
}

/** A replayed receipt is the answer to an earlier wish: this one was not charged, and is not what to refund. */
function isSale(outcome: PurchaseOutcome): outcome is Receipt {
  return outcome !== 'fresh_needed' && !isRefusal(outcome) && outcome.kind === 'fresh' && !outcome.replayed;
}
