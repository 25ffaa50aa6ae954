import type { LedgerEntryView } from '../../contract/credits.js';
import type { ProgressView, ReportSummaryView, ReportView } from '../../contract/reports.js';
import { credits, percent } from '../shared/format.js';

export interface StageStep {
  readonly stage: ProgressView['stage'];
  readonly name: string;
  readonly what: string;
  readonly standing: 'done' | 'now' | 'next';
}

const stages = [
  {
    stage: 'opinions',
    name: 'Opinions',
    what: 'Every member forecasts by itself, and is shown no price.',
  },
  {
    stage: 'cross_review',
    name: 'Cross-review',
    what: 'Every member reads the others without knowing whose words they are, and may change its mind.',
  },
  { stage: 'synthesis', name: 'Synthesis', what: 'One of them takes the chair and sums up.' },
] as const;

/** The three stages, and where the run is among them. */
export function stageSteps(progress: Pick<ProgressView, 'stage'> | null): StageStep[] {
  const now = stages.findIndex(({ stage }) => stage === progress?.stage);
  return stages.map((step, index) => ({
    ...step,
    standing: index < now ? 'done' : index === now ? 'now' : 'next',
  }));
}

/** How far the run is, in a sentence that is read aloud whenever it changes. */
export function progressText({ status, progress }: Pick<ReportView, 'status' | 'progress'>): string {
  if (status === 'pending' || progress === null) return 'The run is about to begin.';
  const name = stages.find(({ stage }) => stage === progress.stage)?.name ?? '';
  return `${name}: ${progress.done} of ${progress.of} answered.`;
}

/**
 * What a failed run has cost: nothing.
 * @param refund the entry of the ledger that gave it back; null while it is not at hand
 */
export function refundText(
  lane: ReportView['lane'],
  refund: Pick<LedgerEntryView, 'amount_credits' | 'pool'> | null,
): string {
  if (lane === 'subscription') return 'Nothing was charged: only delivered reports go on your bill.';
  if (refund === null) return 'Exactly what was charged went back to where it came from.';
  return refund.pool === 'weekly_grant'
    ? `Exactly what was charged went back: your free report of this week, worth ${credits(refund.amount_credits)}, can be used again.`
    : `Exactly what was charged went back: ${credits(refund.amount_credits)}, to your purchased credits.`;
}

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
