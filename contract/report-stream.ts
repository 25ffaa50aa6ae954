import { z } from 'zod';
import { dropoutKinds } from '../council/deliberation/members.js';
import { heldAnswersPerAccount } from '../purchase/limits.js';
import type { Operation } from './operation.js';
import { reportIdParameter } from './parameters.js';
import { callStage, count, model, reportId, reportStatus } from './parts.js';
import { reportFailureShape } from './reports.js';

const streamStage = z.enum([...callStage.options, 'conclusion']);

/** The data of each event of a report's stream, by the event's name. No number and no text of a member is in them. */
export const reportEvents = {
  'stage.started': z.object({ stage: streamStage, of: count }),
  'member.answered': z.object({ stage: callStage, model, done: count, of: count }),
  'member.lost': z.object({ stage: callStage, model, kind: z.enum(dropoutKinds) }),
  'report.completed': z.object({ report_id: reportId, status: reportStatus }),
  'report.failed': z.object({ report_id: reportId, status: reportStatus, failure: reportFailureShape }),
} as const;

export type ReportEventName = keyof typeof reportEvents;

/** An event as clients read it: its position in the stream, its name and its data. */
export type ReportEventView = {
  [Name in ReportEventName]: {
    readonly id: number;
    readonly event: Name;
    readonly data: z.output<(typeof reportEvents)[Name]>;
  };
}[ReportEventName];

export const streamHeader = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{1,9}$/, 'must be the id of an event of this stream')
    .optional()
    .describe('The `id` of the last event that you have. The stream goes on after it.'),
});

export const reportStreamOperations = {
  followReport: {
    method: 'get',
    path: '/api/reports/{id}/events',
    tag: 'Reports',
    access: 'anyone',
    summary: 'Follow a report',
    description: `Sends what happens in the run as server-sent events, beginning with what has happened: \`stage.started\` (\`{stage, of}\`), \`member.answered\` (\`{stage, model, done, of}\`), \`member.lost\` (\`{stage, model, kind}\`), and last \`report.completed\` or \`report.failed\` (\`{report_id, status, failure?}\`), after which the stream ends. The stages are \`research\`, \`opinions\`, \`cross_review\`, \`synthesis\` and \`conclusion\`. \`id\` is the position of the event. A stream also ends after some minutes, and when its process stops: connect again with \`Last-Event-ID\`. A comment is sent at least every 15 seconds. An open stream counts as a held response, of which an account can have ${heldAnswersPerAccount}.`,
    needs: 'An account that has bought the report. Others get `not_found`.',
    parameters: z.object({ id: reportIdParameter.describe('Identifier of the report.') }),
    headers: streamHeader,
    examples: { id: 2, 'Last-Event-ID': '3' },
    answers: { 200: { description: 'The stream.', isEventStream: true } },
    problems: ['invalid_request'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
