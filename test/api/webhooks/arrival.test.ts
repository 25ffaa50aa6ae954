import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { webhookEvents } from '../../../contract/webhooks/webhook-events.js';
import { startReceiver } from '../../platform/webhooks/receiver.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

/** What an account sets up over the API, with a worker that sends and a receiver of its own. */

const keyRing = [{ kid: 'hooks', key: randomBytes(32) }];
const pausesSeconds = Array.from({ length: 9 }, () => 0.05);
const service = await useTestService({
  keyRing,
  webhooks: { pausesSeconds, mailFailing: () => undefined },
});
const session = { as: 'session' } as const;

let status = 204;
const receiver = await startReceiver((_, response) => void response.writeHead(status).end('as it says'));
afterAll(() => receiver.close());

async function subscribe(caller: TestCaller, types: readonly string[]) {
  const path = `/${caller.accountId}`;
  const asked = { url: `http://127.0.0.1:${receiver.port}${path}`, types };
  const { webhook, secret } = (await caller.post('/api/webhooks', asked, session)).body;
  const received = () => receiver.received.filter(each => each.path === path);
  const deliveries = async () =>
    (await caller.get(`/api/webhooks/${webhook.id}/deliveries`, session)).body.deliveries;
  return { id: webhook.id, secret, received, deliveries };
}

type Received = (typeof receiver.received)[number];
/** As a receiver does with the library of the published scheme. @throws Error unless it verifies */
const verified = (secret: string, { body, headers }: Received): any =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

test('a report of the account arrives as the document describes it, and its delivery says so', async () => {
  const caller = await service.newCaller(500);
  const webhook = await subscribe(caller, ['report.completed']);
  const { id: reportId } = await caller.run('sample-fed-cut-2031');
  const [delivery] = await until(
    'it is delivered',
    webhook.deliveries,
    found => found[0]?.status === 'delivered',
  );
  const [request] = webhook.received();
  if (request === undefined) throw new Error('nothing was received');
  const event = webhookEvents['report.completed'].schema.parse(verified(webhook.secret, request));
  expect(event.data).toMatchObject({ report_id: reportId, status: 'completed' });
  expect(delivery).toMatchObject({
    id: request.headers['webhook-id'],
    type: 'report.completed',
    attempts: [{ status_code: 204, error: null, excerpt: '' }],
    next_attempt_at: null,
  });
  const { webhooks } = (await caller.get('/api/webhooks', session)).body;
  expect(webhooks).toMatchObject([{ last_delivery_at: expect.any(String) }]);
});

test('a test that fails disables the webhook; enabled again, it arrives with the same id and body', async () => {
  const caller = await service.newCaller();
  const webhook = await subscribe(caller, ['report.failed']);
  status = 500;
  const path = `/api/webhooks/${webhook.id}`;
  const { delivery_id } = (await caller.post(`${path}/test`, undefined, session)).body;
  await until('it has failed', webhook.deliveries, found => found[0].status === 'failed');
  expect((await caller.get('/api/webhooks', session)).body.webhooks).toMatchObject([
    { status: 'disabled', disabled_reason: 'failing' },
  ]);
  status = 204;
  await caller.patch(path, { status: 'active' }, session);
  await caller.post(`${path}/deliveries/${delivery_id}`, undefined, session);
  const [delivery] = await until(
    'it is delivered',
    webhook.deliveries,
    found => found[0].status === 'delivered',
  );
  expect(delivery.attempts).toHaveLength(11);
  expect(delivery.attempts[0]).toMatchObject({ status_code: 500, excerpt: 'as it says' });
  const requests = webhook.received();
  expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery_id]));
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  for (const request of requests) {
    const event = webhookEvents['webhook.test'].schema.parse(verified(webhook.secret, request));
    expect(event.data).toEqual({ webhook_id: webhook.id });
  }
});

test('after a rotation a request verifies with both secrets, and after another with the newer two', async () => {
  const caller = await service.newCaller();
  const webhook = await subscribe(caller, ['report.failed']);
  const path = `/api/webhooks/${webhook.id}`;
  const rotate = async () => (await caller.post(`${path}/secret`, undefined, session)).body.secret;
  const sendTest = async (nth: number) => {
    await caller.post(`${path}/test`, undefined, session);
    await until('it arrives', () => webhook.received().length === nth);
    return webhook.received()[nth - 1] as Received;
  };
  const second = await rotate();
  const request = await sendTest(1);
  for (const secret of [webhook.secret, second])
    expect(verified(secret, request)).toMatchObject({ type: 'webhook.test' });
  const third = await rotate();
  const later = await sendTest(2);
  for (const secret of [second, third])
    expect(verified(secret, later)).toMatchObject({ type: 'webhook.test' });
  expect(() => verified(webhook.secret, later)).toThrow();
});
