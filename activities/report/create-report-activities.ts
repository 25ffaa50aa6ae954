import type { Stage } from '../../council/deliberation/stages.js';
import { purchaseReport } from '../../db/purchases/purchases.js';
import { createCompletionBatcher } from './completion-batcher.js';
import { concludeReport } from './conclude-report.js';
import type { ActivityDependencies } from './dependencies.js';
import { freezeMarket } from './freeze-market.js';
import { askOpinion, askReview, askSynthesis } from './member-questions.js';
import { refundReport } from './refund-report.js';
import type { ReportActivities } from './report-activities.js';
import { createStageReader } from './stage-reader.js';

/** The activities of a report's run, standing on real or test dependencies. */
export function createReportActivities(deps: ActivityDependencies): ReportActivities {
  const together = createCompletionBatcher(deps);
  const asking = { ...deps, readStage: createStageReader(deps.db) };
  const ofStage = ({ reportId }: { reportId: number }, stage: Stage) => `${reportId} ${stage}`;
  return {
    purchaseReport: ({ request, reach, ...setting }) =>
      purchaseReport(deps.db, request, { ...setting, simulated: deps.simulated, now: deps.now() }, reach),
    freezeMarket: run => freezeMarket(deps, run),
    askOpinion: call => together(ofStage(call, 'opinions'), () => askOpinion(asking, call)),
    askReview: call => together(ofStage(call, 'cross_review'), () => askReview(asking, call)),
    askSynthesis: call => askSynthesis(asking, call),
    concludeReport: council => concludeReport(deps, council),
    refundReport: refund => refundReport(deps, refund),
  };
}
