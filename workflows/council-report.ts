import { isCancellation } from '@temporalio/workflow';
import type { ConcludedReport } from '../activities/report/report-activities.js';
import { hasQuorum } from '../council/deliberation/members.js';
import type { CouncilReportInput } from './council-report-input.js';
import { CouncilSession } from './council-session.js';
import { Notices } from './notices.js';
import { failedRun, runFailureOf } from './run-failure-of.js';
import { Sale } from './sale.js';

export type ReportOutcome =
  | ({ readonly outcome: 'completed'; readonly reportId: number } & ConcludedReport)
  | { readonly outcome: 'nothing_to_run' };

/**
 * The life of one report. It is bought; the market is frozen; the models give their opinions, review one
 * another without names, and a chairman writes the synthesis; the numbers are drawn and the report is stored.
 * When that cannot be done, the caller gets back exactly what was paid.
 */
export async function councilReport(order: CouncilReportInput): Promise<ReportOutcome> {
  const notices = new Notices(order);
  const sale = new Sale(order);
  try {
    const sold = await sale.freshReport();
    if (sold === null) {
      notices.nothingSold();
      return { outcome: 'nothing_to_run' };
    }
    notices.bought(sold.reportId);
    const concluded = await deliberate(new CouncilSession(order, sold.reportId), sale, notices);
    notices.completed(concluded);
    return { outcome: 'completed', reportId: sold.reportId, ...concluded };
  } catch (error) {
    const failure = runFailureOf(error);
    const refund = await sale.refund(failure);
    notices.refunded(failure, refund);
    throw isCancellation(error) ? error : failedRun(failure);
  } finally {
    await sale.close();
  }
}

async function deliberate(session: CouncilSession, sale: Sale, notices: Notices): Promise<ConcludedReport> {
  notices.at('market');
  await sale.withCounterClosed(() => session.freezeMarket());

  notices.at('opinions');
  const members = await session.gatherOpinions();
  if (!hasQuorum(members)) throw failedRun('quorum_lost');

  notices.at('cross_review');
  const reviewers = await session.crossReview(members);

  notices.at('synthesis');
  const chairman = await session.synthesise(members, reviewers);
  if (chairman === null) throw failedRun('no_chairman');

  notices.at('conclusion');
  return sale.withCounterClosed(() => session.conclude({ members, reviewers, chairman }));
}
