import { purchaseReport } from '../db/purchases.js';
import { refundPurchase } from '../db/refunds.js';
import { askOpinion } from './ask-opinion.js';
import { askReview } from './ask-review.js';
import { askSynthesis } from './ask-synthesis.js';
import { concludeReport } from './conclude-report.js';
import type { ActivityDependencies } from './dependencies.js';
import { freezeMarket } from './freeze-market.js';
import type { ReportActivities } from './report-activities.js';

/** The activities of a report's run, standing on real or test dependencies. */
export function createReportActivities(deps: ActivityDependencies): ReportActivities {
  return {
    purchaseReport: ({ request, reach, ...setting }) =>
      purchaseReport(deps.db, request, { ...setting, simulated: deps.simulated, now: deps.now() }, reach),
    freezeMarket: run => freezeMarket(deps, run),
    askOpinion: call => askOpinion(deps, call),
    askReview: call => askReview(deps, call),
    askSynthesis: call => askSynthesis(deps, call),
    concludeReport: council => concludeReport(deps, council),
    refundReport: refund => refundPurchase(deps.db, { ...refund, now: deps.now() }),
  };
}
