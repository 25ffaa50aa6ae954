import { z } from 'zod';
import { dropoutKinds } from '../council/dropout.js';
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

export const reportListParameters = z.object({ ...pagingParameters, status: reportStatus.optional() });
export const reportParameters = z.object({ id: reportIdParameter });

/** What a listing says of a report. */
export const reportSummaryShape = z.object({
  id: reportId,
  event_id: z.string(),
  event_title: z.string(),
  status: reportStatus,
  queried_market: z.string().nullable(),
  action: action.nullable(),
  probability: percent.nullable(),
  confidence: percent.nullable(),
  lane,
  cached: z.boolean(),
  simulated: z.boolean(),
  api_key_id: z.string().nullable(),
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
      placeholder: z.boolean(),
      best_bid: priceOrNull,
      best_ask: priceOrNull,
      last_trade: priceOrNull,
      volume: z.number(),
      taker_fee: z.object({ rate: z.number(), exponent: z.number() }),
    }),
  ),
});

/** How far a run has come. */
export const progressShape = z.object({ stage, done: count, of: count, answered: list(model) });

/** The whole report (specification, and `contract` §7). */
export const reportShape = z.object({
  ...reportSummaryShape.shape,
  summary: z.string().nullable(),
  council_config: z.object({
    requested: z.object({ models: list(model) }),
    runtime: runtimeShape.nullable(),
  }),
  deliberation: deliberationShape.nullable(),
  market_snapshot: marketSnapshotShape.nullable(),
  progress: progressShape.nullable(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
  dropouts: list(z.object({ model, stage, kind: z.enum(dropoutKinds), detail: z.string() })),
  grade: gradeShape.nullable(),
  record: z.object({ seq: count, hash: z.string() }).nullable(),
  disclaimer: z.string(),
});

export type ReportView = z.infer<typeof reportShape>;
export type ReportSummaryView = z.infer<typeof reportSummaryShape>;
export type MarketSnapshotView = z.infer<typeof marketSnapshotShape>;
export type ProgressView = z.infer<typeof progressShape>;
