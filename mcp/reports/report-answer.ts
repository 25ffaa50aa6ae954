import { z } from 'zod';
import {
  opinionShape,
  positionShape,
  rankedMemberShape,
  reviewShape,
  synthesisShape,
} from '../../contract/deliberation.js';
import { list } from '../../contract/parts.js';
import { marketSnapshotShape, type ReportView, reportShape } from '../../contract/reports.js';
import { methodShape, runtimeShape } from '../../contract/runtime.js';
import { waitMaxSeconds } from '../../council/limits.js';

/** What can be asked for beyond the verdict: each can be long. */
export const reportSections = ['synthesis', 'opinions', 'cross_review', 'market_snapshot', 'method'] as const;

export type ReportSection = (typeof reportSections)[number];

/** A report as the tools answer it: all that the verdict rests on, and of the rest what was asked for. */
export const reportAnswerShape = z.object({
  report_id: reportShape.shape.id,
  ...reportShape.pick({
    event_id: true,
    event_title: true,
    status: true,
    simulated: true,
    queried_market: true,
    action: true,
    probability: true,
    confidence: true,
    summary: true,
  }).shape,
  runtime: runtimeShape.omit({ method: true, best_edge: true }).nullable(),
  positions: list(positionShape),
  ...reportShape.pick({
    progress: true,
    failure: true,
    dropouts: true,
    grade: true,
    record: true,
    lane: true,
    cached: true,
    created_at: true,
    completed_at: true,
    disclaimer: true,
  }).shape,
  synthesis: synthesisShape.nullable().optional(),
  opinions: list(opinionShape).optional(),
  cross_review: z
    .object({ reviews: list(reviewShape), aggregate_ranking: list(rankedMemberShape) })
    .optional(),
  market_snapshot: marketSnapshotShape.nullable().optional(),
  method: methodShape.optional(),
});

export type ReportAnswer = z.infer<typeof reportAnswerShape>;

export function reportAnswerOf(report: ReportView, sections: readonly ReportSection[]): ReportAnswer {
  const { id, council_config, deliberation, market_snapshot, ...rest } = report;
  const { runtime } = council_config;
  const wants = (section: ReportSection) => sections.includes(section);
  return {
    ...rest,
    report_id: id,
    runtime,
    positions: deliberation?.positions ?? [],
    ...(wants('synthesis') ? { synthesis: deliberation?.synthesis ?? null } : {}),
    ...(wants('opinions') ? { opinions: deliberation?.opinions ?? [] } : {}),
    ...(wants('cross_review') && deliberation !== null ? { cross_review: deliberation.cross_review } : {}),
    ...(wants('market_snapshot') ? { market_snapshot } : {}),
    ...(wants('method') && runtime !== null ? { method: runtime.method } : {}),
  };
}

/** What to do with a report as it stands. */
export function nextStepWith({
  report_id: id,
  status,
  lane,
}: Pick<ReportAnswer, 'report_id' | 'status' | 'lane'>) {
  switch (status) {
    case 'pending':
    case 'processing':
      return `Still running. Call get_report with report_id ${id} and wait_seconds ${waitMaxSeconds}; nothing more is charged.`;
    case 'failed':
      return `${lane === 'subscription' ? 'Nothing is billed' : 'What was charged has been given back'}. Tell the user; run_report may be called again if they want.`;
    case 'completed':
      return 'Explain it to the user, limits first, and say that it is not financial advice. Do not run the event again for another answer.';
  }
}
