import type { ReportSummaryView } from '../../../contract/reports.js';
import { percent } from '../format.js';

const verdicts = { BUY_YES: 'Buy YES', BUY_NO: 'Buy NO', SKIP: 'Skip' } as const;

/** What a report came to, in a line. */
export function verdictLine(report: ReportSummaryView): string {
  const { status, action, queried_market: market, probability, confidence } = report;
  if (status === 'failed') return 'No report came of it; what was charged went back.';
  if (action === null || market === null || probability === null) return 'The council is at work.';
  // A market that is named as its event need not be named again.
  const on = market === report.event_title ? '' : ` on “${market}”`;
  return `${verdicts[action]}${on}: ${percent(probability)} for YES${confidence === null ? '' : `, confidence ${confidence}`}`;
}

const lanes = {
  credits: 'with credits',
  subscription: 'on the subscription',
  byok: 'with your own keys',
} as const;

export function paidText({ lane, cached }: Pick<ReportSummaryView, 'lane' | 'cached'>): string {
  return `${cached ? 'Half price, ' : ''}${lanes[lane]}`;
}
