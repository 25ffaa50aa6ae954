import { z } from 'zod';
import { batchEvents } from '../../../contract/batches/batch-stream.js';
import type { Operation } from '../../../contract/operation.js';
import { operations } from '../../../contract/operations.js';
import { reportEvents } from '../../../contract/report-stream.js';
import { problemShape } from '../../../contract/service.js';
import { webhookEvents } from '../../../contract/webhooks/webhook-events.js';
import { descriptionOf, docOf, type Field, indented, TypeTexts } from './type-text.js';

const heading = `/**
 * The types of the API: of each operation what it takes and answers, and the events of streams and webhooks.
 * \`npm run client-types\` writes this file from the operation table of the service.
 */
`;

/** The text of `client/api-types.ts`. */
export function clientTypes(): string {
  const texts = new TypeTexts();
  const table = operationTable(texts);
  const events = [reportEventUnion(texts), batchEventUnion(texts), webhookEventUnion(texts)];
  texts.typeOf(problemShape, 'output');
  return `${[heading, table, ...events, ...texts.declarations()].map(part => part.trimEnd()).join('\n\n')}\n`;
}

function operationTable(texts: TypeTexts): string {
  const entries = Object.values<Operation>(operations).map(operation => {
    const endpoint = `${operation.method.toUpperCase()} ${operation.path}`;
    const fields: Field[] = [
      ...parametersOf(texts, 'path', operation.parameters),
      ...parametersOf(texts, 'query', operation.query),
      ...bodyOf(texts, operation.body),
      { name: 'answer', type: answerOf(texts, operation.answers) },
    ];
    return `${docOf(`${operation.summary}.`)}readonly '${endpoint}': ${texts.objectOf(fields)};`;
  });
  return `export interface Operations {\n${indented(entries.join('\n'))}\n}\n`;
}

/** They are sent as text, and written here as what the text stands for. */
function parametersOf(texts: TypeTexts, name: string, parameters: z.ZodObject | undefined): Field[] {
  if (parameters === undefined) return [];
  const fields = Object.entries(parameters.shape).map(([parameter, schema]) => ({
    name: parameter,
    type: texts.typeOf(schema, 'output'),
    isOptional: z.safeParse(schema, undefined).success,
    text: descriptionOf(schema),
  }));
  return [{ name, type: texts.objectOf(fields), isOptional: fields.every(({ isOptional }) => isOptional) }];
}

function bodyOf(texts: TypeTexts, body: Operation['body']): Field[] {
  if (body === undefined) return [];
  return [{ name: 'body', type: texts.typeOf(body.schema, 'input'), isOptional: body.required === false }];
}

/** The body of any response of 2xx; null where there is none. */
function answerOf(texts: TypeTexts, answers: Operation['answers']): string {
  const types = Object.entries(answers)
    .filter(([status]) => Number(status) < 300)
    .map(([, { schema }]) => (schema === undefined ? 'null' : texts.typeOf(schema, 'output')));
  return [...new Set(types)].join(' | ') || 'never';
}

function reportEventUnion(texts: TypeTexts): string {
  const members = streamMembers(texts, reportEvents, 'number');
  const doc = docOf('An event of the stream of a report. `id` is its position in the stream.');
  return `${doc}${unionNamed('ReportEvent', members)}`;
}

function batchEventUnion(texts: TypeTexts): string {
  const members = streamMembers(texts, batchEvents, 'string');
  const doc = docOf('An event of the stream of a batch. `id` is opaque: the stream goes on after it.');
  return `${doc}${unionNamed('BatchEvent', members)}`;
}

function streamMembers(
  texts: TypeTexts,
  events: Readonly<Record<string, z.ZodType>>,
  idType: 'number' | 'string',
): string[] {
  return Object.entries(events).map(([name, data]) =>
    texts.objectOf([
      { name: 'id', type: idType },
      { name: 'event', type: `'${name}'` },
      { name: 'data', type: texts.typeOf(data, 'output') },
    ]),
  );
}

function webhookEventUnion(texts: TypeTexts): string {
  const members = Object.values(webhookEvents).map(({ schema }) => texts.typeOf(schema, 'output'));
  const doc = docOf('What a webhook is sent. No number of a forecast is in it: read the report.');
  return `${doc}${unionNamed('WebhookEvent', members)}`;
}

function unionNamed(name: string, members: readonly string[]): string {
  return `export type ${name} =\n${indented(members.map(each => `| ${each}`).join('\n'))};\n`;
}
