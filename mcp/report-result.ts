import { z } from 'zod';
import {
  deliberationShape,
  evidenceItemShape,
  evidenceShape,
  opinionShape,
  positionShape,
  rankedMemberShape,
  reviewShape,
  synthesisShape,
} from '../contract/deliberation.js';
import { list } from '../contract/parts.js';
import { marketSnapshotShape, reportShape } from '../contract/reports.js';
import { methodShape, runtimeShape } from '../contract/runtime.js';
import { waitMaxSeconds } from '../purchase/limits.js';

/** A report as the tools return it: everything that the verdict rests on, and the requested sections. */
export const reportResultShape = z.object({
  report_id: reportShape.shape.id,
  ...reportShape.pick({
    event_id: true,
    event_title: true,
    status: true,
    simulated: true,
    queried_market: true,
    action: true,
    probability: true,
    estimate: true,
    confidence: true,
    summary: true,
  }).shape,
  runtime: runtimeShape.omit({ method: true, best_edge: true }).nullable(),
  positions: list(positionShape),
  evidence: evidenceShape
    .omit({ items: true, not_found: true })
    .nullable()
    .describe('What the members looked up, without the sources. Null if they did not search.'),
  outside_views: list(opinionShape.pick({ model: true, base_rates: true, outside_view: true })).describe(
    'The members’ base rates, and the forecast of each by them alone. Their ids of sources: section `sources`.',
  ),
  triggers: synthesisShape.shape.triggers,
  market_gap: deliberationShape.shape.market_gap,
  ...reportShape.pick({
    progress: true,
    other_venue: true,
    failure: true,
    dropouts: true,
    grade: true,
    rules_changed_at: true,
    record: true,
    lane: true,
    cached: true,
    created_at: true,
    completed_at: true,
    disclaimer: true,
  }).shape,
  synthesis: synthesisShape.nullable().optional(),
  opinions: list(opinionShape).optional(),
  sources: list(evidenceItemShape)
    .optional()
    .describe('What the ids in `opinions` name. Cited, not verified. Also part of the section `opinions`.'),
  not_found: evidenceShape.shape.not_found,
  cross_review: z
    .object({ reviews: list(reviewShape), aggregate_ranking: list(rankedMemberShape) })
    .optional(),
  market_snapshot: marketSnapshotShape.nullable().optional(),
  method: methodShape.optional(),
});

export type ReportResult = z.infer<typeof reportResultShape>;

/** What an assistant should do with a report in this status. */
export function reportNextStep({
  report_id: id,
  status,
  lane,
}: Pick<ReportResult, 'report_id' | 'status' | 'lane'>) {
  switch (status) {
    case 'pending':
    case 'processing':
      return `Still running. Call get_report with report_id ${id} and wait_seconds ${waitMaxSeconds}; nothing more is charged.`;
    case 'failed':
      return `${lane === 'subscription' ? 'Nothing is billed' : 'The charge was refunded'}. Tell the user; call run_report again only if they want to.`;
    case 'completed':
      return 'Explain the report to the user, limits first, then the estimate with council and market beside it, then what it rests on and what would change it, and say that it is not financial advice. Do not run the event again to get another answer.';
  }
}
