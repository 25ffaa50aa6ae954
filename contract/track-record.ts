import { z } from 'zod';
import { forecastScores, gradeState, happened } from './grade.js';
import { afterParameter, reportIdParameter } from './parameters.js';
import {
  action,
  betKind,
  byModel,
  count,
  fraction,
  headlineSource,
  interval,
  list,
  percent,
  price,
  reportId,
  side,
  timestamp,
  timestampOrNull,
} from './parts.js';

export const exportParameters = z.object({
  after: afterParameter,
  limit: reportIdParameter.optional().describe('Maximum number of rows. Defaults to all.'),
});

const numberOrNull = z.number().nullable();
/** Means over n reports; null if n is 0. */
export const figuresShape = z.object({
  brier: numberOrNull,
  log_score: numberOrNull,
  hit_rate: numberOrNull,
  n: count,
});

/** Council − market, on the reports that score both. */
export const pairedDifferenceShape = z.object({
  n: count,
  events: count,
  mean: numberOrNull.describe(
    'Brier score of the council minus that of the market. Below 0, the council is better.',
  ),
  interval_95: interval,
  council_brier: numberOrNull,
  market_brier: numberOrNull,
});

export const scoreSummaryShape = z.object({
  council: figuresShape,
  market: figuresShape,
  paired_difference: pairedDifferenceShape,
});

const returns = { n: count, events: count, mean_return_per_dollar: numberOrNull, interval_95: interval };
/** Means over n bets; null if n is 0. */
export const returnsShape = z.object(returns);

export const calibrationBinShape = z.object({
  from: fraction,
  to: fraction,
  n: count,
  events: count,
  mean_probability: fraction.nullable(),
  share_happened: fraction.nullable(),
  interval_95: interval,
});

/** `council/track-record/track-record.ts` defines each figure. */
export const trackRecordShape = z.object({
  simulated: z.boolean(),
  as_of: timestampOrNull.describe('When the figures were computed. The counts are current.'),
  record: z
    .object({ entries: count, head: z.string().nullable() })
    .describe(
      'The head of the hash chain of forecasts. Save it to verify later that no earlier entry was changed.',
    ),
  counts: z.object({
    completed: count,
    graded: count,
    pending: count,
    void: count,
    fifty_fifty: count,
    disputed: count,
    failed: count,
  }),
  events: count.describe('Number of events among the graded reports.'),
  council: figuresShape,
  market: figuresShape,
  blend: figuresShape,
  paired_difference: pairedDifferenceShape,
  skill: numberOrNull.describe(
    '1 − Brier score of the council / Brier score of the market. Above 0, the council is better.',
  ),
  calibration: list(calibrationBinShape),
  by_model: z.object({
    claude: figuresShape,
    gpt: figuresShape,
    gemini: figuresShape,
    grok: figuresShape,
    mean: figuresShape,
  }),
  by_action: z.object({ BUY_YES: scoreSummaryShape, BUY_NO: scoreSummaryShape, SKIP: scoreSummaryShape }),
  by_flag: z.object({
    degraded: scoreSummaryShape,
    not_degraded: scoreSummaryShape,
    conflict: scoreSummaryShape,
    no_conflict: scoreSummaryShape,
  }),
  bets: z.object({
    ...returns,
    by_kind: z.object({ edge: returnsShape, pick: returnsShape }),
  }),
  first_report_per_event: scoreSummaryShape.describe(
    'Only the first report of each event, so that all events count equally.',
  ),
  verdict_text: z.string().describe('What these figures show about the council, in words.'),
});

export const forecastScoresShape = z.object(forecastScores);

/** One row of the export. All published figures can be recomputed from the rows. */
export const trackRecordRowShape = z.object({
  report_id: reportId,
  event_id: z.string(),
  event_title: z.string(),
  category: z.string().nullable(),
  method: z.string(),
  models: byModel(z.string()),
  completed_at: timestamp,
  prices_at: timestamp,
  state: gradeState,
  graded_at: timestamp,
  grader: z.string(),
  exclusive: z.boolean(),
  degraded: z.boolean(),
  conflict: z.boolean(),
  action,
  queried_market: z.string(),
  estimate_weights: z.object({ id: z.string(), sha256: z.string() }).nullable(),
  headline: z.object({ outcome: z.string(), percent, source: headlineSource }),
  outcomes: list(
    z.object({
      name: z.string(),
      market_id: z.string().nullable(),
      side: z.enum(['yes', 'no']),
      council: percent,
      market: percent.nullable(),
      members: byModel(percent),
      estimate: percent.nullable(),
      first_council: percent.nullable(),
      first_members: byModel(percent),
      happened,
    }),
  ),
  scores: forecastScoresShape.nullable(),
  bets: list(
    z.object({
      market: z.string(),
      side,
      kind: betKind,
      share_cost: price,
      payout_per_dollar: z.number(),
      win_probability: percent.nullable(),
      market_id: z.string(),
      won: z.boolean().nullable(),
      return_per_dollar: numberOrNull,
    }),
  ),
});

export const trackRecordExportShape = z.object({ reports: list(trackRecordRowShape) });

export type TrackRecordView = z.infer<typeof trackRecordShape>;
export type TrackRecordRowView = z.infer<typeof trackRecordRowShape>;
export type CalibrationBinView = z.infer<typeof calibrationBinShape>;
