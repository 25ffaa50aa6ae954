import { z } from 'zod';
import { dropoutKinds } from '../council/deliberation/members.js';
import { deliberationShape } from './deliberation.js';
import { gradeShape } from './grade.js';
import { notModified, type Operation } from './operation.js';
import { pagingParameters, reportIdParameter, waitHeader } from './parameters.js';
import {
  action,
  callStage,
  count,
  lane,
  list,
  model,
  page,
  percent,
  price,
  priceOrNull,
  reportId,
  reportStatus,
  resolution,
  sides,
  stage,
  timestamp,
  timestampOrNull,
  tradingStatus,
  venue,
  volumeUnit,
} from './parts.js';
import { recordEntryShape } from './record-chain.js';
import { runtimeShape } from './runtime.js';

const reportListParameters = z.object({
  ...pagingParameters,
  status: reportStatus.optional().describe('Return only reports with this status.'),
});
const reportParameters = z.object({ id: reportIdParameter.describe('Identifier of the report.') });

/** A report in a list. */
export const reportSummaryShape = z
  .object({
    id: reportId,
    event_id: z.string(),
    event_title: z.string(),
    status: reportStatus,
    queried_market: z.string().nullable().describe('The market that `action` and `probability` are about.'),
    action: action
      .nullable()
      .describe('The verdict on the queried market. Often `SKIP` on an event with many outcomes.'),
    probability: percent
      .nullable()
      .describe(
        'Probability in percent that the queried market resolves YES: the council’s or, in a conflict, the market’s. Never the `estimate`.',
      ),
    estimate: percent
      .nullable()
      .describe(
        'Probability in percent that the queried market resolves YES, by the estimate, which weighs council and market: the number to act on. Null without one; `runtime.estimate_missing` says why.',
      ),
    confidence: percent
      .nullable()
      .describe('How much weight `probability` deserves, 0 to 85. Not a probability of being right.'),
    lane,
    cached: z.boolean().describe('True if the report already existed and was bought at half the price.'),
    simulated: z.boolean().describe('True if a simulator generated the answers instead of language models.'),
    api_key_id: z.string().nullable().describe('The API key that bought the report; null for a session.'),
    created_at: timestamp,
    completed_at: timestampOrNull,
  })
  .meta({ id: 'ReportSummary' });

const reportListShape = z
  .object({ reports: list(reportSummaryShape), ...page, total: count })
  .meta({ id: 'ReportList' });

/** The market as frozen for the run. With the deliberation, the complete input of the report's numbers. */
export const marketSnapshotShape = z
  .object({
    taken_at: timestamp,
    exclusive: z.boolean(),
    can_grow: z
      .boolean()
      .describe('True if outcomes could still be added, so that one might win which had no market yet.'),
    rules: z
      .string()
      .describe(
        'The rules by which the event resolves, as the venue stated them: untrusted text. Can be empty.',
      ),
    rules_sha256: z
      .string()
      .describe(
        'SHA-256, hex, of the rules of the event and its markets: of the JSON in UTF-8, without spaces, of `[rules, [[market_id, rules], …]]` with the markets in ascending order of their ids.',
      ),
    settlement_sources: list(z.object({ name: z.string(), url: z.string().nullable() })).describe(
      'Where the result is read, as the venue named it: untrusted text. Empty where it did not say.',
    ),
    markets: list(
      z.object({
        market_id: z.string(),
        market: z.string(),
        question: z.string(),
        slug: z.string(),
        outcomes: sides,
        closes_at: timestampOrNull.describe('The scheduled end of trading of this market.'),
        rules: z
          .string()
          .nullable()
          .describe('The market’s own rules, as the venue stated them: untrusted text. Null without any.'),
        expected_at: timestampOrNull.describe(
          'When the venue expected the result. Null where it did not say, as also in the next two fields.',
        ),
        latest_at: timestampOrNull.describe('Until when the venue waits for the result.'),
        early_close: z
          .string()
          .nullable()
          .describe('What ends trading before `closes_at`, as the venue stated it: untrusted text.'),
        status: tradingStatus,
        resolution,
        placeholder: z.boolean().describe('True for a slot that the platform has not named yet.'),
        other: z
          .boolean()
          .describe('True for the slot that stands for every outcome without a market of its own.'),
        best_bid: priceOrNull,
        best_ask: priceOrNull,
        last_trade: priceOrNull,
        volume: z.number(),
        taker_fee: z
          .object({ rate: z.number(), exponent: z.number(), rounded_up_to: z.number().nullable() })
          .meta({ id: 'TakerFee' })
          .nullable()
          .describe(
            'Dollars a share: `rate · (p · (1 − p)) ^ exponent`, rounded up if it says so. Null if the fee is of a kind that is not known here: then there are no bets on the market.',
          ),
      }),
    ),
    volume_unit: volumeUnit.describe(
      'What `volume` of the markets counts: dollars, or contracts that pay a dollar.',
    ),
  })
  .meta({ id: 'MarketSnapshot' });

/** The price of a market of another venue. */
export const otherVenuePriceShape = z
  .object({
    outcome: z.string().describe('The outcome of the report that YES stands for.'),
    venue,
    event_id: z.string().describe('The event at the other venue.'),
    slug: z.string().describe('The market at the other venue.'),
    url: z.string().nullable().describe('The event’s page at the other venue.'),
    yes_price: price.describe(
      'Dollars for YES, which means the same at both venues: the middle of a tight book, or the last trade.',
    ),
    read_at: timestamp,
  })
  .meta({ id: 'OtherVenuePrice' });

/** The progress of a running report. */
export const progressShape = z
  .object({
    stage: callStage.describe(
      'What the members do now. `research`: those that can search the web do so, before all give their opinions.',
    ),
    done: count.describe('Members that have finished this stage. A search that fails is never counted.'),
    of: count.describe(
      'Members that this stage asks: at `research` those that search, once the report is `processing`.',
    ),
    answered: list(model).describe(
      'The members that have finished this stage, in the order of their answers.',
    ),
  })
  .meta({ id: 'Progress' });

export const reportFailureShape = z
  .object({ code: z.string(), detail: z.string() })
  .meta({ id: 'ReportFailure' });

/** A full report. */
export const reportShape = z
  .object({
    ...reportSummaryShape.shape,
    summary: z.string().nullable().describe('The chairman’s summary.'),
    council_config: z.object({
      requested: z.object({ models: list(model) }),
      runtime: runtimeShape.nullable().describe('Null until the report is completed.'),
    }),
    deliberation: deliberationShape.nullable().describe('Null until the report is completed.'),
    market_snapshot: marketSnapshotShape.nullable().describe('Null until the report is completed.'),
    other_venue: list(otherVenuePriceShape)
      .optional()
      .describe(
        'What another venue priced the same questions at when the report was completed. It enters no number of the report. Present only where people have reviewed that the markets ask the same, and the venue answered.',
      ),
    progress: progressShape.nullable().describe('Present only while the report runs.'),
    failure: reportFailureShape
      .nullable()
      .describe('Present only if the report failed. The charge was refunded to the pool that it came from.'),
    dropouts: list(z.object({ model, stage, kind: z.enum(dropoutKinds), detail: z.string() })).describe(
      'The models that were lost, with the stage and the reason.',
    ),
    grade: gradeShape
      .nullable()
      .describe('Null until the event, or a market of an independent one, has resolved.'),
    rules_changed_at: timestampOrNull.describe(
      'When rules of the event or its markets were first read that differ from those in `market_snapshot`, by which the report was made. Null if none were. Markets that were added or removed change no rules.',
    ),
    record: recordEntryShape
      .nullable()
      .describe(
        'The newest entry of the report in the public, append-only record: of its sale while it runs, of its end afterwards. Null for at most 2 seconds after the sale.',
      ),
    disclaimer: z.string(),
  })
  .meta({ id: 'Report' });

export type ReportView = z.infer<typeof reportShape>;
export type ReportSummaryView = z.infer<typeof reportSummaryShape>;
export type MarketSnapshotView = z.infer<typeof marketSnapshotShape>;
export type OtherVenuePriceView = z.infer<typeof otherVenuePriceShape>;
export type ProgressView = z.infer<typeof progressShape>;

const presentReport = {
  description:
    'The report in its present state. After `completed` or `failed`, only its grade and `rules_changed_at` can change.',
  schema: reportShape,
  examples: {
    completed: 'Completed',
    researching: 'In progress: members search the web',
    processing: 'In progress: members review each other',
    failed: 'Failed and refunded',
  },
} as const;

/**
 * The Markdown of a report is named in its description only: a second content type would make generated clients type the
 * JSON as text or an object.
 */
export const reportOperations = {
  listReports: {
    method: 'get',
    path: '/api/reports',
    tag: 'Reports',
    access: 'anyone',
    summary: 'List your reports',
    description: 'Returns summaries of the account’s reports, newest first.',
    query: reportListParameters,
    examples: { status: 'completed', page: 1, per_page: 20 },
    answers: {
      200: { description: 'One page of reports.', schema: reportListShape, examples: { one: 'One report' } },
    },
  },
  getReport: {
    method: 'get',
    path: '/api/reports/{id}',
    tag: 'Reports',
    access: 'anyone',
    summary: 'Read a report',
    description:
      'Returns the whole report: verdict, distribution, bets, deliberation, and the market at the time of the run. Until it is `completed` or `failed`, poll after `Retry-After`, or send `Prefer: wait=30` to hold the response. With `Accept: text/markdown` the report is sent in words.',
    needs: 'An account that has bought the report. Others get `not_found`.',
    parameters: reportParameters,
    headers: waitHeader,
    examples: { id: 2, Prefer: 'wait=30' },
    answers: {
      200: {
        ...presentReport,
        headers: ['ETag-when-finished', 'Retry-After-while-it-runs', 'Preference-Applied'],
      },
      304: { ...notModified, headers: ['ETag', 'Preference-Applied'] },
    },
    problems: ['invalid_request'],
  },
  getSampleReport: {
    method: 'get',
    path: '/api/reports/sample',
    tag: 'Reports',
    access: 'public',
    summary: 'Read the sample report',
    description: 'Returns a public report as an example. Available only on a service with simulated models.',
    answers: {
      200: {
        ...presentReport,
        examples: { completed: 'Completed' },
        headers: ['ETag-when-finished', 'Retry-After-while-it-runs'],
      },
      304: notModified,
    },
    problems: ['not_found', 'unavailable'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
