import { z } from 'zod';
import type { WebhookType } from '../../purchase/webhooks.js';
import { credits, reportId, timestamp } from '../parts.js';
import { recordEntryShape } from '../record-chain.js';

const reportData = <Status extends 'completed' | 'failed'>(status: Status) =>
  z.object({
    report_id: reportId,
    event_id: z.string(),
    status: z.literal(status),
    record: recordEntryShape
      .nullable()
      .describe('The entry of the report in the public record; null if it was not there yet.'),
  });

/** Without a name: the generator of Go clients drops named schemas that no operation refers to. */
const event = <Type extends WebhookType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    timestamp: timestamp.describe('When it happened; the same in every try.'),
    data,
  });

/** What a webhook is sent, by type: those that something sends today. No number of a forecast is in it. */
export const webhookEvents = {
  'report.completed': {
    summary: 'A report of the account was completed',
    schema: event('report.completed', reportData('completed')),
  },
  'report.failed': {
    summary: 'A report of the account failed and was refunded',
    schema: event('report.failed', reportData('failed')),
  },
  'report.graded': {
    summary: 'A report of the account was graded, or its grade was corrected',
    schema: event('report.graded', reportData('completed')),
  },
  'balance.low': {
    summary: 'The purchased credits no longer pay for a fresh report',
    schema: event(
      'balance.low',
      z.object({
        balance_credits: credits.describe('What is left.'),
        fresh_credits: credits.describe('The price of a fresh report.'),
      }),
    ),
  },
  'webhook.test': {
    summary: 'The test of a webhook, which its owner has asked for',
    schema: event('webhook.test', z.object({ webhook_id: z.string() })),
  },
} as const satisfies Partial<Record<WebhookType, { summary: string; schema: z.ZodType }>>;
