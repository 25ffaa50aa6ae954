import { z } from 'zod';
import { sliceAdjustments } from '../record/figures/track-record.js';
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
import { evidenceSummaryShape, weightsReferenceShape } from './runtime.js';

export const exportParameters = z.object({
  after: afterParameter,
  limit: reportIdParameter.optional().describe('Maximum number of rows. Defaults to all.'),
});

const numberOrNull = z.number().nullable();
const reportsCounted = count.describe('Number of reports.');
const eventsCounted = count.describe('Number of events that they belong to. Each event has one vote.');

/** Means over the events, of the mean of each event's reports; null if n is 0. */
export const figuresShape = z.object({
  brier: numberOrNull,
  log_score: numberOrNull,
  hit_rate: numberOrNull,
  n: reportsCounted,
  events: eventsCounted,
});

const intervals = {
  interval_95: interval.describe(
    'Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for several slices.',
  ),
  confidence_sequence_95: interval.describe(
    'Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all slices together.',
  ),
};

const difference = (of: string) => ({
  n: reportsCounted,
  events: eventsCounted,
  mean: numberOrNull.describe(`The mean over the events of the Brier score of ${of}`),
  ...intervals,
});

/** Council − market, on the reports that score both. */
export const pairedDifferenceShape = z.object({
  ...difference('the council minus that of the market. Below 0, the council is better.'),
  council_brier: numberOrNull,
  market_brier: numberOrNull,
});

/** Estimate − market, on the reports that score both. */
export const estimateDifferenceShape = z.object({
  ...difference('the estimate minus that of the market. Below 0, the estimate is better.'),
  estimate_brier: numberOrNull,
  market_brier: numberOrNull,
});

/** Council − pool of the first opinions, on the reports that recorded them. */
export const reviewDifferenceShape = z.object({
  ...difference(
    'the council minus that of the members’ first opinions, pooled. Below 0, the cross-review made the council better.',
  ),
  council_brier: numberOrNull,
  first_council_brier: numberOrNull,
});

export const scoreSummaryShape = z.object({
  council: figuresShape,
  market: figuresShape,
  paired_difference: pairedDifferenceShape,
});

/** Reports whose members' searches ended alike, and how closely the council followed the market in them. */
export const evidenceFiguresShape = z.object({
  ...scoreSummaryShape.shape,
  estimate: figuresShape,
  market_distance_points: z
    .object({
      n: reportsCounted,
      events: eventsCounted,
      mean: numberOrNull.describe('0 to 100. The mean over the events.'),
      interval_95: intervals.interval_95,
    })
    .describe(
      'How far council and market were apart, in percentage points: half the sum of the differences over the outcomes of an exclusive event, which on a yes/no question is their difference; otherwise the mean over the markets. On the reports of `paired_difference`.',
    ),
});

/** Claims beside results, on the bets that were recorded with a win probability. */
export const betClaimsShape = z.object({
  n: count.describe('Number of bets.'),
  events: eventsCounted,
  mean: numberOrNull.describe(
    'Actual win rate minus the claimed one, 0..1. Below 0, bets won less often than claimed.',
  ),
  ...intervals,
  claimed_win_rate: fraction.nullable(),
  actual_win_rate: fraction.nullable(),
  claimed_return_per_dollar: numberOrNull,
  actual_return_per_dollar: numberOrNull,
});

const returns = {
  n: count.describe('Number of bets.'),
  events: eventsCounted,
  mean_return_per_dollar: numberOrNull.describe(
    'Net dollars per dollar staked: the mean over the events, of the mean of each event’s bets.',
  ),
  ...intervals,
  claims: betClaimsShape,
};
/** Means over the events of n bets; null if n is 0. */
export const returnsShape = z.object(returns);

export const calibrationBinShape = z.object({
  from: fraction,
  to: fraction,
  n: count.describe('Number of outcomes.'),
  events: eventsCounted,
  mean_probability: fraction.nullable(),
  share_happened: fraction.nullable(),
  interval_95: interval.describe('Wilson interval with each event as one trial.'),
});

export const sliceAdjustmentShape = z.enum(sliceAdjustments);

/** `record/figures/track-record.ts` defines each figure. */
export const trackRecordShape = z.object({
  simulated: z.boolean(),
  figures_version: z.string().describe('Version of the rules by which the figures are computed.'),
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
  estimate: figuresShape,
  paired_difference: pairedDifferenceShape,
  estimate_difference: estimateDifferenceShape,
  review: reviewDifferenceShape,
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
  by_evidence: z
    .object({
      searched: evidenceFiguresShape,
      partial: evidenceFiguresShape,
      none: evidenceFiguresShape,
      not_searched: evidenceFiguresShape,
    })
    .describe(
      'By `evidence.status` of the report; `not_searched`: members did not search. Members must not see a price. If the council is closer to the market in reports that searched than in those that did not, a price may have leaked through what was found. The distance cannot prove it: news moves council and market alike, and the reports are about different events.',
    ),
  bets: z.object({
    ...returns,
    by_kind: z.object({ edge: returnsShape, pick: returnsShape }),
  }),
  slice_adjustment: z
    .object({
      by_model: sliceAdjustmentShape,
      by_action: sliceAdjustmentShape,
      by_flag: sliceAdjustmentShape,
      by_evidence: sliceAdjustmentShape,
      bets_by_kind: sliceAdjustmentShape,
    })
    .describe(
      'How the confidence sequences of each set of slices allow for there being several. `bonferroni`: each allows an error of 5 % divided by the number of slices. `none`: means without a claim about a difference.',
    ),
  first_report_per_event: scoreSummaryShape.describe(
    'Only the first report of each event: a check that repeated reports do not decide the figures.',
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
  estimate_weights: weightsReferenceShape.nullable(),
  evidence: evidenceSummaryShape
    .nullable()
    .describe('What the members looked up. Null if they did not search.'),
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
      first_council: percent,
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
      win_probability: percent,
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
