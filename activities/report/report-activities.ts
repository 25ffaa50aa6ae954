import type { Logger } from 'pino';
import { purchaseReport } from '../../db/purchases/purchases.js';
import { settleOrWithdraw } from '../../db/purchases/refunds.js';
import {
  type CeilingNotice,
  ceilingNoticeText,
  describeNotice,
  type SalesPolicy,
} from '../../purchase/house-ceilings.js';
import type { AllowedOutcome, PurchaseRequest } from '../../purchase/purchase.js';
import { type AskDependencies, askOpinion, askReview, askSynthesis } from './ask-member.js';
import type { Answered } from './ask-model.js';
import { askResearch, type Searched } from './ask-research.js';
import type { ModelCall, ReviewCall, SearchCall, SynthesisCall } from './call-model.js';
import { type ConcludeDependencies, type CouncilResult, concludeReport } from './conclude-report.js';
import { createEndTogether } from './end-together.js';
import { type FreezeDependencies, freezeMarket } from './freeze-market.js';
import { type RefundDependencies, type RefundInput, refundReport } from './refund-report.js';
import { firstStageOf, searchersOf } from './searchers.js';
import { createSharedCalls } from './shared-calls.js';
import { createStageReader } from './stage-reader.js';

export type { ConcludedReport, CouncilResult, ResearchResult } from './conclude-report.js';
export type ReportActivities = ReturnType<typeof createReportActivities>;
/** The calls to models, which wait on the queue of their member: its workers know these and no others. */
export type ModelCallActivities = Pick<ReportActivities, Extract<keyof ReportActivities, `ask${string}`>>;

/** What the activities depend on. Built by the worker's composition root, and by tests. */
export interface ReportDependencies
  extends Omit<AskDependencies, 'readStage' | 'shareCall'>,
    ConcludeDependencies,
    FreezeDependencies,
    RefundDependencies {
  readonly policy: SalesPolicy;
  readonly log: Pick<Logger, 'warn'>;
}

export interface PurchaseInput {
  readonly request: PurchaseRequest;
  readonly allowed: AllowedOutcome;
  readonly eventTitle: string;
  readonly workflowId: string;
  readonly seed: string;
  /** Reserved for the report if this purchase opens one. */
  readonly reportId: number;
  /** Whether members search the web in this run. */
  readonly searches: boolean;
}

/**
 * The activities of a report's run. Arguments and results are small and hold no secret and no text of a model: they
 * are stored in workflow histories, the texts only in the database.
 */
export function createReportActivities(deps: ReportDependencies) {
  const { db, catalogue, simulated, now, policy, log } = deps;
  const onCeiling = (notice: CeilingNotice) => log.warn(describeNotice(notice), ceilingNoticeText);
  const readStage = createStageReader(db);
  const askDeps = { ...deps, readStage, shareCall: createSharedCalls<Answered>(now) };
  const searchDeps = {
    ...deps,
    readStage,
    shareCall: createSharedCalls<Searched>(now),
    endTogether: createEndTogether(),
  };
  return {
    /** Decides and charges, in one transaction. */
    purchaseReport: ({ request, allowed, searches, ...setting }: PurchaseInput) => {
      const firstStage = firstStageOf(searchersOf(catalogue, searches));
      const context = { ...setting, firstStage, simulated, policy, onCeiling, now: now() };
      return purchaseReport(db, request, context, allowed);
    },
    /** Returns the receipt of a purchase that was charged, and withdraws one that was not. */
    settlePurchase: (input: { purchaseId: string; accountId: string }) =>
      settleOrWithdraw(db, { ...input, now: now() }),
    freezeMarket: (input: { reportId: number; searches: boolean }) => freezeMarket(deps, input),
    askResearch: (call: SearchCall) => askResearch(searchDeps, call),
    askOpinion: (call: ModelCall) => askOpinion(askDeps, call),
    askReview: (call: ReviewCall) => askReview(askDeps, call),
    askSynthesis: (call: SynthesisCall) => askSynthesis(askDeps, call),
    concludeReport: (council: CouncilResult) => concludeReport(deps, council),
    refundReport: (input: RefundInput) => refundReport(deps, input),
  };
}
