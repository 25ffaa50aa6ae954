import type { LedgerEntryView } from '../../contract/credits.js';
import type { ProgressView, ReportSummaryView, ReportView } from '../../contract/reports.js';
import { creditsText, percentText } from '../shared/format.js';

export interface StageStep {
  readonly stage: ProgressView['stage'];
  readonly name: string;
  readonly description: string;
  readonly state: 'done' | 'now' | 'next';
}

const stages = [
  {
    stage: 'research',
    name: 'Research',
    description: 'Members search the web. Prices and odds are removed from what they find.',
  },
  {
    stage: 'opinions',
    name: 'Opinions',
    description: 'Each member forecasts independently, without seeing a price.',
  },
  {
    stage: 'cross_review',
    name: 'Cross-review',
    description: 'Each member reads the anonymous opinions of the others and may revise its forecast.',
  },
  {
    stage: 'synthesis',
    name: 'Synthesis',
    description: 'The chairman, one of the members, writes the summary.',
  },
] as const;

/**
 * The stages with their state.
 * @param searches whether the members of this run search; the first stage is left out otherwise
 */
export function stageSteps(progress: Pick<ProgressView, 'stage'> | null, searches: boolean): StageStep[] {
  const listed = stages.filter(({ stage }) => searches || stage !== 'research');
  const current = listed.findIndex(({ stage }) => stage === progress?.stage);
  return listed.map((step, index) => ({
    ...step,
    state: index < current ? 'done' : index === current ? 'now' : 'next',
  }));
}

/** Progress of a run in one sentence, which a screen reader announces when it changes. */
export function progressText({ status, progress }: Pick<ReportView, 'status' | 'progress'>): string {
  if (status === 'pending' || progress === null) return 'The run is about to start.';
  const name = stages.find(({ stage }) => stage === progress.stage)?.name ?? '';
  return `${name}: ${progress.done} of ${progress.of} answered.`;
}

/** @param refund the refund in the ledger; null until it is loaded */
export function refundText(
  lane: ReportView['lane'],
  refund: Pick<LedgerEntryView, 'amount_credits' | 'pool'> | null,
): string {
  if (lane === 'subscription') return 'Nothing was charged. Only delivered reports are billed.';
  if (refund === null) return 'Your charge was refunded in full.';
  return refund.pool === 'weekly_grant'
    ? `Your charge was refunded in full: your free report of this week, worth ${creditsText(refund.amount_credits)}, is available again.`
    : `Your charge was refunded in full: ${creditsText(refund.amount_credits)}, to your purchased credits.`;
}

const verdicts = { BUY_YES: 'Buy YES', BUY_NO: 'Buy NO', SKIP: 'Skip' } as const;

/** The result of a report in one line. */
export function verdictLine(report: ReportSummaryView): string {
  const { status, lane, action, queried_market: market, probability, estimate, confidence } = report;
  if (status === 'failed') {
    return `The run failed. ${lane === 'subscription' ? 'Nothing was billed.' : 'Your charge was refunded.'}`;
  }
  if (action === null || market === null || probability === null) return 'The run is in progress.';
  // The market of a single-market event is named like the event, which is shown already.
  const on = market === report.event_title ? '' : ` on “${market}”`;
  const number =
    estimate === null
      ? `no estimate without a firm price; probability of YES ${percentText(probability)}`
      : `estimate ${percentText(estimate)} for YES`;
  return `${verdicts[action]}${on}: ${number}${confidence === null ? '' : `, confidence ${confidence}`}`;
}

const lanes = {
  credits: 'paid with credits',
  subscription: 'billed to the subscription',
  byok: 'with your own keys',
} as const;

export function paidText({ lane, cached }: Pick<ReportSummaryView, 'lane' | 'cached'>): string {
  return `${cached ? 'Half price, ' : ''}${lanes[lane]}`;
}
