import { z } from 'zod';
import { batchPauses } from '../../purchase/batches.js';
import { heldAnswersPerAccount } from '../../purchase/limits.js';
import type { Operation } from '../operation.js';
import { reportId } from '../parts.js';
import { batchParameters } from './batch-results.js';

const batch = { batch_id: z.string(), name: z.string().nullable() };

/** The data of each event of a batch's stream, by the event's name. No number of a forecast is in them. */
export const batchEvents = {
  'row.started': z.object({ event_id: z.string(), status: z.literal('running'), report_id: reportId }),
  'row.ended': z.object({
    event_id: z.string(),
    status: z.enum(['completed', 'failed', 'refused']),
    report_id: reportId.nullable(),
  }),
  'batch.paused': z.object({ ...batch, status: z.literal('paused'), paused_reason: z.enum(batchPauses) }),
  'batch.completed': z.object({ ...batch, status: z.literal('completed'), paused_reason: z.null() }),
  'batch.cancelled': z.object({ ...batch, status: z.literal('cancelled'), paused_reason: z.null() }),
} as const;

export type BatchEventName = keyof typeof batchEvents;

/** An event as clients read it: what the reader knows after it (`id`), its name and its data. */
export type BatchEventView = {
  [Name in BatchEventName]: {
    readonly id: string;
    readonly event: Name;
    readonly data: z.output<(typeof batchEvents)[Name]>;
  };
}[BatchEventName];

/** `api/present/batch-position.ts` says what the parts are. */
const positionPattern = /^[0-9a-z]{1,10}\.[-abhoe]\.\d{1,3}\.[\w-]{0,84}\.[\w-]{0,84}$/;

export const batchStreamHeader = z.object({
  'Last-Event-ID': z
    .string()
    .regex(positionPattern, 'must be the id of an event of this stream')
    .optional()
    .describe('The `id` of the last event that you have. The stream goes on after it.'),
});

export const batchStreamOperations = {
  followBatch: {
    method: 'get',
    path: '/api/batches/{id}/events',
    tag: 'Batches',
    access: 'anyone',
    summary: 'Follow a batch',
    description: `Sends what happens to the rows as server-sent events, beginning with what has happened: \`row.started\` and \`row.ended\` (\`{event_id, status, report_id}\`), \`batch.paused\`, and last \`batch.completed\` or \`batch.cancelled\` (\`{batch_id, name, status, paused_reason}\`), after which the stream ends. A row that is bought starts before it ends; a refused row only ends. Events of different rows come in the order in which they are seen, about once a second, so two readers may see them in different orders. \`batch.paused\` comes after the starts of all rows that were bought before. \`id\` is opaque; any process goes on after it without a gap or a repeat. Of a row that was tried again, and of a batch that paused twice without buying anything, you may see the last state only. A stream also ends after some minutes, and when its process stops: connect again with \`Last-Event-ID\`. A comment is sent at least every 15 seconds. An open stream counts as a held response, of which an account can have ${heldAnswersPerAccount}.`,
    needs: 'An account whose batch it is. Others get `not_found`.',
    parameters: batchParameters,
    headers: batchStreamHeader,
    examples: { id: '7b0f2a64-55d1-4c7e-9a43-2f1f0c9f6e10', 'Last-Event-ID': 'm0a1b2c3.-.2..Bg' },
    answers: { 200: { description: 'The stream.', isEventStream: true } },
    problems: ['invalid_request'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
