import { z } from 'zod';
import {
  calibrationBinShape,
  categoryFiguresShape,
  estimateDifferenceShape,
  evidenceFiguresShape,
  figuresShape,
  memberFiguresShape,
  numberOrNull,
  outsideViewFiguresShape,
  pairedDifferenceShape,
  returns,
  returnsShape,
  reviewDifferenceShape,
  scoreSummaryShape,
  sliceAdjustmentsShape,
  stakeFiguresShape,
  wealthFiguresShape,
} from './figures.js';
import { forecastScores, gradeState, happened } from './grade.js';
import { notModified, type Operation } from './operation.js';
import { afterParameter, reportIdParameter } from './parameters.js';
import {
  action,
  byModel,
  count,
  headlineSource,
  list,
  percent,
  reportId,
  resolution,
  timestamp,
  timestampOrNull,
} from './parts.js';
import {
  chainParameters,
  chainShape,
  recordProofShape,
  recordTimestampsShape,
  timestampParameters,
} from './record-chain.js';
import {
  evidenceSummaryShape,
  outsideViewShape,
  recordedBetShape,
  weightsReferenceShape,
} from './runtime.js';

const exportParameters = z.object({
  after: afterParameter,
  limit: reportIdParameter.optional().describe('Maximum number of rows. Defaults to all.'),
});

/** `record/figures/track-record.ts` defines each figure. */
export const trackRecordShape = z
  .object({
    simulated: z.boolean(),
    figures_version: z.string().describe('Version of the rules by which the figures are computed.'),
    as_of: timestampOrNull.describe('When the figures were computed. The counts are current.'),
    record: z
      .object({ entries: count, head: z.string().nullable() })
      .describe('The head of the hash chain. Save it to verify later that no earlier entry was changed.'),
    proof: recordProofShape,
    counts: z.object({
      sold: count,
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
    by_category: list(categoryFiguresShape).describe(
      'By category of the event, that of its first graded report: the ten categories with the most events, then all others together, then events without a category.',
    ),
    outside_view: outsideViewFiguresShape,
    bets: z.object({ ...returns, by_kind: z.object({ edge: returnsShape, pick: returnsShape }) }),
    stakes: stakeFiguresShape,
    members: memberFiguresShape,
    wealth: wealthFiguresShape.describe(
      'One dollar staked against the market’s prices, one event after the other in the order of their resolutions: the mean over fixed stakes of 5, 10, 20, 40 and 80 % of the wealth. Each event has one vote, the return of its first report.',
    ),
    slice_adjustment: sliceAdjustmentsShape,
    first_report_per_event: scoreSummaryShape.describe(
      'Only the first report of each event: a check that repeated reports do not decide the figures.',
    ),
    rules_unchanged: scoreSummaryShape.describe(
      'Without the reports whose venue changed the rules between sale and grade (`rules_changed` in the export): their forecast may be of another question than their grade.',
    ),
    verdict_text: z
      .string()
      .describe('What these figures show about the council, and what of it is proved, in words.'),
  })
  .meta({ id: 'TrackRecord' });

/** One row of the export. All published figures can be recomputed from the rows. */
export const trackRecordRowShape = z
  .object({
    report_id: reportId,
    event_id: z.string(),
    event_title: z.string(),
    category: z.string().nullable(),
    method: z.string(),
    models: byModel(z.string()),
    completed_at: timestamp,
    prices_at: timestamp,
    state: gradeState,
    rules_changed: z
      .boolean()
      .describe(
        'True if other rules of the event, or of a market that the report was sold on, were read after the sale and before the grade.',
      ),
    open_markets: count.describe(
      'Number of markets of an independent event that are not final. The row has no number of theirs, because buyers of the report may still trade on them; a later grade adds them.',
    ),
    graded_at: timestamp,
    grader: z.string(),
    exclusive: z.boolean(),
    degraded: z.boolean(),
    conflict: z.boolean(),
    action: action.nullable().describe('Null while the queried market is open.'),
    queried_market: z.string().nullable().describe('Null while this market is open.'),
    estimate_weights: weightsReferenceShape.nullable(),
    evidence: evidenceSummaryShape
      .nullable()
      .describe('What the members looked up. Null if they did not search.'),
    headline: z
      .object({ outcome: z.string(), percent, source: headlineSource })
      .meta({ id: 'RecordedHeadline' })
      .nullable()
      .describe('Null while the market of this outcome is open.'),
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
    outside_view: list(outsideViewShape).describe('As in the report. Empty for a report of 1.0.0.'),
    scores: z.object(forecastScores).meta({ id: 'ForecastScores' }).nullable(),
    bets: list(
      z.object({
        ...recordedBetShape.shape,
        market_id: z.string(),
        won: z.boolean().nullable(),
        return_per_dollar: numberOrNull,
      }),
    ),
    resolution: z
      .object({
        first_observed_at: timestamp.describe(
          'When a resolution of the event was first observed after the report was completed, even if it left markets open.',
        ),
        observed_at: timestamp.describe('When the market gave the answer that the grade is based on.'),
        outcomes: z.record(z.string(), resolution).describe('The resolution of each market, by `market_id`.'),
        evidence: z
          .record(z.string(), z.unknown())
          .describe('The state of the event and its markets at that time, as stored.'),
      })
      .describe('What the market answered: `happened` and `won` follow from it.'),
  })
  .meta({ id: 'TrackRecordRow' });

const trackRecordExportShape = z
  .object({ reports: list(trackRecordRowShape) })
  .meta({ id: 'TrackRecordExport' });

export type TrackRecordView = z.infer<typeof trackRecordShape>;
export type TrackRecordRowView = z.infer<typeof trackRecordRowShape>;
export type CalibrationBinView = z.infer<typeof calibrationBinShape>;

export const trackRecordOperations = {
  getTrackRecord: {
    method: 'get',
    path: '/api/stats/track-record',
    tag: 'Track record',
    access: 'public',
    summary: 'Read the track record',
    description:
      'Returns the scores of all graded reports: council, market, their blend and the estimate on the same outcomes, the value of cross-review, calibration, each member, each flag, and the bets at their actual cost beside what they claimed. Every event has one vote: it counts in each figure with the mean of its reports, however many were bought. `verdict_text` says what the figures show; often the council is not distinguishable from the market. It follows `confidence_sequence_95`, which may be looked at at any time: a record without a difference ever declares one with a probability of 5 % at most. `slice_adjustment` says how the slices allow for there being several.',
    answers: {
      200: {
        description: 'Current counts, and the figures of `as_of`.',
        schema: trackRecordShape,
        examples: { some: 'A sample record' },
        headers: ['ETag'],
      },
      304: notModified,
    },
    problems: ['unavailable'],
  },
  exportTrackRecord: {
    method: 'get',
    path: '/api/stats/track-record/reports',
    tag: 'Track record',
    access: 'public',
    summary: 'Export every graded report',
    description:
      'Returns one row per graded report in ascending order of `report_id`: the data behind the published figures, so that anyone can recompute them. The response is streamed and can be long: keep it, and ask with `If-None-Match`, which is 304 until a report is graded. Only some exports are sent at a time; beyond them the response is 429 or 503 with `Retry-After`.',
    query: exportParameters,
    examples: { after: 0, limit: 100 },
    answers: {
      200: {
        description: 'The rows.',
        schema: trackRecordExportShape,
        examples: { one: 'One report' },
        headers: ['ETag'],
      },
      304: notModified,
    },
    problems: ['unavailable'],
  },
  listRecordEntries: {
    method: 'get',
    path: '/api/stats/track-record/chain',
    tag: 'Track record',
    access: 'public',
    summary: 'Read the chain of forecasts',
    description:
      'Returns every forecast ever completed, live and simulated, in the order of the chain. `hash` covers the previous hash and a salted commitment to the forecast, so that all links can be checked at once, and a forecast that was sold cannot be read or guessed while its event is open. `payload` and `salt` follow once the report is graded, or the market traded no longer when it was last read and its closing time has passed. `examples/verify-record.py` checks everything with the standard library of Python alone.',
    query: chainParameters,
    examples: { after: 0, limit: 100 },
    answers: {
      200: {
        description: 'A page of entries, in ascending order. Empty after the newest entry.',
        schema: chainShape,
        examples: { two: 'A closed and an open event' },
        headers: ['ETag'],
      },
      304: notModified,
    },
    problems: ['unavailable'],
  },
  listRecordTimestamps: {
    method: 'get',
    path: '/api/stats/track-record/timestamps',
    tag: 'Track record',
    access: 'public',
    summary: 'List the time stamps of the chain',
    description:
      'Returns the receipts by which a time-stamp authority (RFC 3161) confirmed what the newest hash of the chain was: within ten minutes of new entries, and once an hour without. Nobody can rewrite an entry that is older than a receipt without breaking it, the operator of the service included. The list is empty if the operator has not set `TIMESTAMP_URL`.',
    query: timestampParameters,
    examples: { after: 0, limit: 100 },
    answers: {
      200: {
        description: 'A page of receipts, oldest first.',
        schema: recordTimestampsShape,
        examples: { one: 'One receipt' },
        headers: ['ETag'],
      },
      304: notModified,
    },
    problems: ['unavailable'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
