import type { Dropout } from '../../council/deliberation/members.js';
import type { CouncilModel } from '../../council/models.js';
import type {
  AllowedOutcome,
  PurchaseOutcome,
  PurchaseRequest,
  RefundReceipt,
} from '../../council/purchase/purchase.js';
import type { RunFailureCode } from '../../council/report.js';

/**
 * What a report's run does to the world, one verb each. Arguments and results are small and hold no secret and
 * no text of a model: they stay in workflow histories, the texts stay in the database.
 */
export interface ReportActivities {
  /** Decides and charges, in one transaction. */
  purchaseReport(wish: PurchaseReportInput): Promise<PurchaseOutcome>;
  /** Reads the market and freezes it into the report: from here on the report is processing. */
  freezeMarket(run: { reportId: number }): Promise<FrozenMarket>;
  askOpinion(call: ModelCall): Promise<Answered>;
  askReview(call: ReviewCall): Promise<Answered>;
  askSynthesis(call: SynthesisCall): Promise<Answered>;
  /** Draws every number from the stored answers and the frozen prices, and stores the completed report. */
  concludeReport(council: Council): Promise<ConcludedReport>;
  /** Gives back exactly what was taken, once, and fails the report. */
  refundReport(refund: RefundReportInput): Promise<RefundReceipt>;
}

export interface PurchaseReportInput {
  readonly request: PurchaseRequest;
  readonly reach: AllowedOutcome;
  readonly eventTitle: string;
  readonly workflowId: string;
  readonly seed: string;
  /** Reserved for the report if this opens one. Absent: the database gives the next. */
  readonly reportId?: number;
}

export interface FrozenMarket {
  readonly queriedMarket: string;
  readonly outcomes: number;
  readonly exclusive: boolean;
}

export interface ModelCall {
  readonly reportId: number;
  readonly model: CouncilModel;
  /** How many models are asked at this stage. */
  readonly of: number;
}

export interface ReviewCall extends ModelCall {
  /** Whose opinions are there to be reviewed, the reviewer's own included. */
  readonly members: readonly CouncilModel[];
}

export interface SynthesisCall extends ReviewCall {
  readonly reviewers: readonly CouncilModel[];
}

export interface Answered {
  readonly model: CouncilModel;
  /** Seconds from asking to a valid answer, a repair included. */
  readonly seconds: number;
}

/** Who took part, and how far: all that the conclusion needs beside what is stored. */
export interface Council {
  readonly reportId: number;
  readonly members: readonly CouncilModel[];
  readonly reviewers: readonly CouncilModel[];
  readonly chairman: CouncilModel;
  readonly dropouts: readonly Dropout[];
}

export interface ConcludedReport {
  readonly action: string;
  readonly mostLikelyOutcome: string;
  readonly conflict: boolean;
  readonly degraded: boolean;
}

export interface RefundReportInput {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly failure: RunFailureCode;
}
