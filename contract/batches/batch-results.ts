import { z } from 'zod';
import { batchRowStates } from '../../purchase/batches.js';
import type { Operation } from '../operation.js';
import { notModified } from '../operation.js';
import { byModel, count, credits, list, percent, reportId, timestamp, venue } from '../parts.js';
import { weightsReferenceShape } from '../runtime.js';

export const batchParameters = z.object({
  id: z.uuid('There is no batch with this id.').describe('Identifier of the batch.'),
});

export const resultsFormats = ['ndjson', 'csv', 'forecastbench'] as const;
export type ResultsFormat = (typeof resultsFormats)[number];

const resultsFormat = z.enum(resultsFormats).meta({ id: 'BatchResultsFormat' });

const byOutcome = z.record(z.string(), percent.nullable()).nullable();

/** One line of the results: the numbers of its report as `GET /api/reports/{id}` has them. */
export const batchResultShape = z.object({
  event_id: z.string(),
  venue: venue.nullable(),
  event_title: z.string().nullable(),
  report_id: reportId.nullable(),
  state: z.enum(batchRowStates),
  council: byOutcome,
  market: byOutcome,
  estimate: byOutcome,
  confidence: percent.nullable(),
  degraded: z.boolean().nullable(),
  conflict: z.boolean().nullable(),
  record_seq: count.nullable(),
  credits,
});

export type BatchResultView = z.infer<typeof batchResultShape>;

/** A forecast set as ForecastBench reads it. */
export interface ForecastSetView {
  readonly organization: string;
  readonly model: string;
  readonly question_set: string;
  readonly forecast_due_date: string;
  readonly forecasts: readonly ForecastView[];
}

export interface ForecastView {
  readonly id: string;
  readonly source: string;
  readonly forecast: number;
  readonly resolution_date: null;
  readonly reasoning: string;
}

const resultsFileShape = z
  .object({
    sha256: z.string().describe('SHA-256, hex, of the bytes of the results in this format.'),
    bytes: count,
  })
  .meta({ id: 'BatchResultsFile' });

/** What a publication cites of a batch. */
const batchManifestShape = z
  .object({
    batch_id: z.string(),
    name: z.string().nullable(),
    created_at: timestamp,
    ended_at: timestamp,
    simulated: z.boolean().describe('True if a simulator generated answers instead of language models.'),
    rows: z.object({ total: count, waiting: count, completed: count, failed: count, refused: count }),
    methods: list(z.string()).describe('Name and version of the methods of its completed reports.'),
    estimate_weights: list(weightsReferenceShape).describe(
      'The learnt weights of their estimates, by id and hash.',
    ),
    models: byModel(list(z.string())).describe(
      'The vendors’ own ids of the models whose opinions counted, by member.',
    ),
    results: z.object({
      ndjson: resultsFileShape,
      csv: resultsFileShape,
      forecastbench: resultsFileShape,
    }),
    record: z
      .object({ first_seq: count, last_seq: count, head: z.string() })
      .meta({ id: 'BatchRecord' })
      .nullable()
      .describe(
        'The first and the last entry of the public record that ends a report of the batch, and `hash` of the last: it covers every entry before it, and a time stamp of it proves when they were there. The payload of each entry names the hash of its prompts, answers and market. Null without a report.',
      ),
  })
  .meta({ id: 'BatchManifest' });

export type BatchManifestView = z.infer<typeof batchManifestShape>;
export type ResultsFileView = z.infer<typeof resultsFileShape>;

const exampleBatch = '7b0f2a64-55d1-4c7e-9a43-2f1f0c9f6e10';

export const batchResultOperations = {
  getBatchResults: {
    method: 'get',
    path: '/api/batches/{id}/results',
    tag: 'Batches',
    access: 'anyone',
    summary: 'Download the results of a batch',
    description: `Returns one line for each row, in the order of the batch, as \`ndjson\` or as \`csv\` (RFC 4180): \`event_id\`, \`venue\`, \`event_title\`, \`report_id\`, \`state\`, \`council\`, \`market\` and \`estimate\` (maps from outcome to percent, as in the report; JSON in one cell of the CSV), \`confidence\`, \`degraded\`, \`conflict\`, \`record_seq\` (the entry of the record that ends the report) and \`credits\`. What a row does not have is null, and empty in the CSV. In the CSV, a text that a spreadsheet would read as a formula begins with an apostrophe. \`forecastbench\` is a forecast set: \`{organization, model, question_set, forecast_due_date, forecasts: [{id, source, forecast, resolution_date, reasoning}]}\` with one forecast, 0 to 1, for YES of each market that has an \`estimate\`; \`id\` is the market at its venue, \`source\` the venue. Once the batch has ended and none of its rows runs, the bytes never change again: they come with a strong \`ETag\` and \`Digest\` (\`sha-256=\` and base64), and wait until the record has sealed every entry. Before that, they are the present state. Rows that are tried again later begin a new version. Only some downloads are sent at a time; beyond them the response is 429 or 503 with \`Retry-After\`.`,
    needs: 'An account whose batch it is. Others get `not_found`.',
    parameters: batchParameters,
    query: z.object({
      format: resultsFormat.default('ndjson').describe('The format of the file.').meta({ default: 'ndjson' }),
    }),
    examples: { id: exampleBatch, format: 'csv' },
    answers: {
      200: {
        description: 'The file.',
        files: ['application/x-ndjson', 'text/csv', 'application/json'],
        headers: ['ETag-of-results', 'Digest', 'Repr-Digest'],
      },
      304: { ...notModified, headers: ['ETag', 'Digest', 'Repr-Digest'] },
    },
  },
  getBatchManifest: {
    method: 'get',
    path: '/api/batches/{id}/manifest',
    tag: 'Batches',
    access: 'anyone',
    summary: 'Read what to cite of a batch',
    description:
      'Returns what identifies the results of a batch that has ended: methods, weights and models of its reports, the SHA-256 of each file of `GET /api/batches/{id}/results`, and where the public record has the reports. It does not change unless rows are tried again.',
    needs: 'An account whose batch it is, and that none of its rows waits or runs. Otherwise `not_found`.',
    parameters: batchParameters,
    examples: { id: exampleBatch },
    answers: {
      200: {
        description: 'The manifest.',
        schema: batchManifestShape,
        examples: { ended: 'A completed batch of two rows' },
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
