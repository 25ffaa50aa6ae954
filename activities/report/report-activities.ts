import type { Logger } from 'pino';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { type PurchaseContext, purchaseReport } from '../../db/purchases/purchases.js';
import { settleOrWithdraw } from '../../db/purchases/refunds.js';
import { logCeiling, type SalesPolicy } from '../../purchase/house-ceilings.js';
import type { AllowedOutcome, PurchaseRequest } from '../../purchase/purchase.js';
import { type AskDependencies, askMarketGap, askOpinion, askReview, askSynthesis } from './ask-member.js';
import type { Answered } from './ask-model.js';
import { askResearch, type Searched } from './ask-research.js';
import type { ModelCall, ReviewCall, SynthesisCall } from './call-model.js';
import { type ConcludeDependencies, type CouncilResult, concludeReport } from './conclude-report.js';
import { createEndTogether } from './end-together.js';
import { gatherEvidence, type ResearchResult } from './gather-evidence.js';
import { type RefundDependencies, type RefundInput, refundReport } from './refund-report.js';
import { createSharedCalls } from './shared-calls.js';
import { createStageReader } from './stage-reader.js';

export type { ConcludedReport, CouncilResult } from './conclude-report.js';
export type ReportActivities = ReturnType<typeof createReportActivities>;
/** The calls to models, which wait on the queue of their member: its workers know these and no others. */
export type ModelCallActivities = Pick<ReportActivities, Extract<keyof ReportActivities, `ask${string}`>>;

/** What the activities depend on. Built by the worker's composition root, and by tests. */
export interface ReportDependencies
  extends Omit<AskDependencies, 'readStage' | 'shareCall'>,
    ConcludeDependencies,
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
  /** The members that search the web in this run. */
  readonly searchers: readonly CouncilModel[];
}

/**
 * The activities of a report's run. Arguments and results are small and hold no secret and no text of a model: they
 * are stored in workflow histories, the texts only in the database.
 */
export function createReportActivities(deps: ReportDependencies) {
  const { db, simulated, now, policy, log } = deps;
  const onCeiling = logCeiling(log);
  const readStage = createStageReader(db);
  const endTogether = createEndTogether();
  const askDeps = { ...deps, readStage, endTogether, shareCall: createSharedCalls<Answered>(now) };
  const searchDeps = { ...deps, readStage, endTogether, shareCall: createSharedCalls<Searched>(now) };
  return {
    /** Decides, charges and freezes the market, in one transaction. */
    purchaseReport: ({ request, allowed, searchers, ...setting }: PurchaseInput) => {
      const firstStage = firstStageOf(searchers);
      const context = { ...setting, firstStage, simulated, policy, onCeiling, now: now() };
      return purchaseReport(db, request, context, allowed);
    },
    /** Returns the receipt of a purchase that was charged, and withdraws one that was not. */
    settlePurchase: (input: { purchaseId: string; accountId: string }) =>
      settleOrWithdraw(db, { ...input, now: now() }),
    askResearch: (call: ModelCall) => askResearch(searchDeps, call),
    /** Stores what the council may read of the searches. */
    gatherEvidence: (research: ResearchResult) => gatherEvidence(db, research),
    askOpinion: (call: ModelCall) => askOpinion(askDeps, call),
    askReview: (call: ReviewCall) => askReview(askDeps, call),
    askSynthesis: (call: SynthesisCall) => askSynthesis(askDeps, call),
    askMarketGap: (call: SynthesisCall) => askMarketGap(askDeps, call),
    concludeReport: (council: CouncilResult) => concludeReport(deps, council),
    refundReport: (input: RefundInput) => refundReport(deps, input),
  };
}

/** The first stage at which models are called, and how many. Callers see it as the progress from the purchase on. */
function firstStageOf(searchers: readonly CouncilModel[]): NonNullable<PurchaseContext['firstStage']> {
  return searchers.length === 0
    ? { stage: 'opinions', of: councilModels.length }
    : { stage: 'research', of: searchers.length };
}
