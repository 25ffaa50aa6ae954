import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { CouncilResult, ReportActivities } from '../activities/report/report-activities.js';
import { hasQuorum } from '../council/deliberation/members.js';
import { type RunFailureCode, runFailures } from '../council/report.js';
import { localWrite } from './activity-options.js';
import { Deliberation } from './deliberation.js';
import { PurchaseHandler } from './purchase-handler.js';
import { type CouncilReportInput, type CouncilReportResult, progress, purchase } from './report-interface.js';
import { RunStatus } from './run-status.js';

const { gatherEvidence } = proxyLocalActivities<ReportActivities>({
  ...localWrite,
  summary: 'gather the evidence',
});
const { concludeReport } = proxyLocalActivities<ReportActivities>({
  ...localWrite,
  summary: 'conclude and store',
});

/**
 * The life of one report. A caller buys it, and the market is frozen with the charge; the models look things up, what
 * they found is gathered; they give their opinions, review each other anonymously, and a chairman writes the synthesis,
 * while another member says why the market differs; the result is computed and stored. If the report cannot be completed,
 * the charge is refunded in full.
 */
export async function councilReport(input: CouncilReportInput): Promise<CouncilReportResult> {
  const status = new RunStatus(input.reportId);
  const purchases = new PurchaseHandler(input);
  setHandler(purchase, request => purchases.handle(request), {
    description: 'Buys the report. Returns a receipt or a refusal; charges at most once.',
  });
  setHandler(progress, () => status.progress(), { description: 'The step that the run is at.' });
  let council: CouncilResult | null = null;
  const conclude = async (result: CouncilResult): Promise<CouncilReportResult> => {
    status.enterStage('conclusion');
    const concluded = await purchases.whileIdle(() => concludeReport(result));
    status.completed(concluded);
    return { outcome: 'completed', reportId: result.reportId, ...concluded };
  };
  try {
    if (!(await purchases.hasSold())) {
      status.nothingSold();
      return { outcome: 'nothing_to_run' };
    }
    council = await deliberate(input, status, purchases);
    return await conclude(council);
  } catch (error) {
    const failure = failureCode(error);
    const refund = await purchases.refund(failure);
    // Cancelled too late, or the response of the conclusion was lost: the customer has the report.
    const delivered = refund.isDelivered ? council : null;
    if (delivered !== null) return await CancellationScope.nonCancellable(() => conclude(delivered));
    status.failed(failure, refund);
    throw isCancellation(error) ? error : runFailure(failure);
  } finally {
    await purchases.close();
  }
}

async function deliberate(
  input: CouncilReportInput,
  status: RunStatus,
  purchases: PurchaseHandler,
): Promise<CouncilResult> {
  const { reportId, research } = input;
  const council = new Deliberation(input);

  if (research !== undefined) {
    status.enterStage('research');
    const searches = await council.research(research);
    await purchases.whileIdle(() => gatherEvidence(searches));
  }

  status.enterStage('opinions');
  const members = await council.gatherOpinions();
  if (!hasQuorum(members, purchases.minMembers)) throw runFailure('quorum_lost');

  status.enterStage('cross_review');
  const reviewers = await council.crossReview(members);

  status.enterStage('synthesis');
  const [chairman] = await Promise.all([
    council.synthesise(members, reviewers),
    council.explainGap(members, reviewers),
  ]);
  if (chairman === null) throw runFailure('no_chairman');
  return { reportId, members, reviewers, chairman, dropouts: council.dropouts };
}

/** The failure that a run ends with; its type is the failure code. */
function runFailure(failure: RunFailureCode): ApplicationFailure {
  return ApplicationFailure.nonRetryable(runFailures[failure], failure);
}

function failureCode(error: unknown): RunFailureCode {
  if (isCancellation(error)) return 'cancelled';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return isRunFailure(type) ? type : 'internal';
}

function isRunFailure(type: string | null | undefined): type is RunFailureCode {
  return typeof type === 'string' && Object.hasOwn(runFailures, type);
}
