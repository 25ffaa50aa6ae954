import { z } from 'zod';
import { dropoutKinds } from '../council/deliberation/members.js';
import { deliberationShape } from './deliberation.js';
import { gradeShape } from './grade.js';
import { pagingParameters, reportIdParameter } from './parameters.js';
import {
  action,
  count,
  lane,
  list,
  model,
  page,
  percent,
  priceOrNull,
  reportId,
  reportStatus,
  sides,
  stage,
  timestamp,
  timestampOrNull,
  tradingStatus,
} from './parts.js';
import { runtimeShape } from './runtime.js';

export const reportListParameters = z.object({
  ...pagingParameters,
  status: reportStatus.optional().describe('Only reports that stand so.'),
});
export const reportParameters = z.object({ id: reportIdParameter.describe('Identifier of the report.') });

/** What a listing says of a report. */
export const reportSummaryShape = z.object({
  id: reportId,
  event_id: z.string(),
  event_title: z.string(),
  status: reportStatus,
  queried_market: z.string().nullable().describe('The market that `action` and `probability` speak of.'),
  action: action
    .nullable()
    .describe('The verdict on the queried market. Often `SKIP` where there are many outcomes.'),
  probability: percent.nullable().describe('Percent, that the queried market ends with YES.'),
  confidence: percent
    .nullable()
    .describe('How much weight the number deserves; no probability of being right.'),
  lane,
  cached: z.boolean().describe('Bought at half the price, after somebody else had it made.'),
  simulated: z.boolean().describe('No language model was asked: the answers were made up by a program.'),
  api_key_id: z.string().nullable().describe('The key it was bought with; null for a session.'),
  created_at: timestamp,
  completed_at: timestampOrNull,
});

export const reportListShape = z.object({ reports: list(reportSummaryShape), ...page, total: count });

/** The market as it was frozen for the run: with the deliberation, all that the report's numbers follow from. */
export const marketSnapshotShape = z.object({
  taken_at: timestamp,
  exclusive: z.boolean(),
  markets: list(
    z.object({
      market_id: z.string(),
      market: z.string(),
      slug: z.string(),
      outcomes: sides,
      status: tradingStatus,
      placeholder: z.boolean().describe('A slot of the platform that has no name yet.'),
      best_bid: priceOrNull,
      best_ask: priceOrNull,
      last_trade: priceOrNull,
      volume: z.number(),
      taker_fee: z.object({ rate: z.number(), exponent: z.number() }),
    }),
  ),
});

/** How far a run has come. */
export const progressShape = z.object({
  stage,
  done: count.describe('Members that have answered at this stage.'),
  of: count,
  answered: list(model),
});

/** The whole report (specification, and `contract` §7). */
export const reportShape = z.object({
  ...reportSummaryShape.shape,
  summary: z.string().nullable().describe('The synthesis, by the chairman.'),
  council_config: z.object({
    requested: z.object({ models: list(model) }),
    runtime: runtimeShape.nullable().describe('Null until the report is completed.'),
  }),
  deliberation: deliberationShape.nullable().describe('Null until the report is completed.'),
  market_snapshot: marketSnapshotShape.nullable().describe('Null until the report is completed.'),
  progress: progressShape.nullable().describe('Only while it runs.'),
  failure: z
    .object({ code: z.string(), detail: z.string() })
    .nullable()
    .describe('Only when failed. What was charged has been given back to the pool it came from.'),
  dropouts: list(z.object({ model, stage, kind: z.enum(dropoutKinds), detail: z.string() })).describe(
    'Every model that was lost, and at which stage.',
  ),
  grade: gradeShape.nullable().describe('Null until the event has an outcome.'),
  record: z
    .object({ seq: count, hash: z.string() })
    .nullable()
    .describe('Where the forecast stands in the public record, which nobody can change afterwards.'),
  disclaimer: z.string(),
});

export type ReportView = z.infer<typeof reportShape>;
export type ReportSummaryView = z.infer<typeof reportSummaryShape>;
export type MarketSnapshotView = z.infer<typeof marketSnapshotShape>;
export type ProgressView = z.infer<typeof progressShape>;
