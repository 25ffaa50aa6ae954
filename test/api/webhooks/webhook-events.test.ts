import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../api/openapi/document.js';
import { webhookEvents } from '../../../contract/webhooks/webhook-events.js';
import { webhookTypes } from '../../../purchase/webhooks.js';

const document: any = createOpenApi('0.0.0');
const timestamp = '2031-03-05T12:00:00.000Z';
const report = (status: string) => ({ report_id: 7, event_id: 'e', status, record: { seq: 9, hash: 'ab' } });

/** A body of each type, as a worker writes it. */
const bodies: Readonly<Record<keyof typeof webhookEvents, object>> = {
  'report.completed': report('completed'),
  'report.failed': { ...report('failed'), record: null },
  'report.graded': report('completed'),
  'balance.low': { balance_credits: 35, fresh_credits: 120 },
  'webhook.test': { webhook_id: '0c1b7a52-6f0e-4f5d-9d8b-5d0a3c7e2f41' },
};

describe('the document', () => {
  test('describes what is sent today, and of batches nothing yet', () => {
    const described = Object.keys(document.webhooks);
    expect(described).toEqual(webhookTypes.filter(type => !type.startsWith('batch.')));
  });

  test.each(Object.entries(webhookEvents))('%s is described as it is sent', (type, { schema }) => {
    const body = { type, timestamp, data: bodies[type as keyof typeof bodies] };
    expect(schema.parse(body)).toEqual(body);
    expect(schema.safeParse({ ...body, type: 'another' }).success).toBe(false);
    expect(schema.safeParse({ ...body, data: {} }).success).toBe(false);
  });

  test('names no number of a forecast in what is sent', () => {
    expect(JSON.stringify(document.webhooks)).not.toMatch(
      /estimate|probab|confidence|verdict|percent|price_/,
    );
  });
});
