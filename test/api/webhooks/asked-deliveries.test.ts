import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keptRowsPerDayPerAccount, webhookSendsPerMinute } from '../../../purchase/limits.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

/** No worker runs: what is asked for stays in the table, as a worker finds it. */
const service = await useTestService({ worker: false });
const { pool } = service.database;

const session = { as: 'session' } as const;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function newWebhook(given?: TestCaller) {
  const caller = given ?? (await service.newCaller());
  const asked = { url: 'https://hooks.example.com/', types: ['report.completed'] };
  const { body } = await caller.post('/api/webhooks', asked, session);
  const id: string = body.webhook.id;
  return {
    caller,
    id,
    test: () => caller.post(`/api/webhooks/${id}/test`, undefined, session),
    deliveries: async (query = '') =>
      (await caller.get(`/api/webhooks/${id}/deliveries${query}`, session)).body,
    repeat: (deliveryId: string) =>
      caller.post(`/api/webhooks/${id}/deliveries/${deliveryId}`, undefined, session),
    disable: () => caller.patch(`/api/webhooks/${id}`, { status: 'disabled' }, session),
  };
}

const rowOf = async (deliveryId: string) =>
  (await pool.query('select * from webhook_deliveries where id = $1', [deliveryId])).rows[0];

/** As a worker leaves a delivery after its last try. */
async function endAsFailed(deliveryId: string): Promise<void> {
  await pool.query(
    `update webhook_deliveries set status = 'failed', body = '{"as":"sent"}', handed_over_at = now(),
      ended_at = now(), next_attempt_at = null where id = $1`,
    [deliveryId],
  );
  await pool.query(
    `insert into webhook_attempts (delivery_id, number, at, status_code, error, excerpt) values
      ($1, 1, now() - interval '5 s', null, 'The host refused the connection.', null),
      ($1, 2, now(), 503, 'The endpoint answered 503.', 'down')`,
    [deliveryId],
  );
}

describe('a test', () => {
  test('adds a delivery that is due at once, whatever types the webhook has', async () => {
    const webhook = await newWebhook();
    const answer = await webhook.test();
    expect(answer.status).toBe(202);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]$/);
    const { delivery_id: id } = answer.body;
    expect(await webhook.deliveries()).toEqual({
      deliveries: [
        {
          id,
          type: 'webhook.test',
          created_at: timestamp,
          status: 'pending',
          attempts: [],
          next_attempt_at: timestamp,
        },
      ],
      page: 1,
      per_page: 20,
      total: 1,
    });
    expect(await rowOf(id)).toMatchObject({ data: { webhook_id: webhook.id }, handed_over_at: null });
  });

  test('of a disabled webhook is refused', async () => {
    const webhook = await newWebhook();
    await webhook.disable();
    expectInvalid(await webhook.test(), ['#']);
    expect(await webhook.deliveries()).toMatchObject({ total: 0 });
  });

  test('is refused beyond what an account may send a minute, by all its webhooks together', async () => {
    const first = await newWebhook();
    const second = await newWebhook(first.caller);
    const { delivery_id: id } = (await first.test()).body;
    for (let sends = 1; sends < webhookSendsPerMinute; sends++)
      expect((await (sends % 2 === 0 ? first.repeat(id) : second.test())).status).toBe(202);
    expectProblem(await second.test(), 'rate_limited');
    expectProblem(await first.repeat(id), 'rate_limited');
    expect((await (await newWebhook()).test()).status).toBe(202);
  });
});

describe('the deliveries', () => {
  test('are listed newest first by page, with their tries in order', async () => {
    const webhook = await newWebhook();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await webhook.test()).body.delivery_id);
    const [newest = '', middle = '', oldest = ''] = ids;
    await endAsFailed(middle);
    const { deliveries, ...paging } = await webhook.deliveries('?page=1&per_page=2');
    expect(paging).toEqual({ page: 1, per_page: 2, total: 3 });
    expect(deliveries.map(({ id }: { id: string }) => id)).toEqual([newest, middle]);
    expect(deliveries[1]).toMatchObject({
      status: 'failed',
      attempts: [
        { at: timestamp, status_code: null, error: 'The host refused the connection.', excerpt: null },
        { at: timestamp, status_code: 503, error: 'The endpoint answered 503.', excerpt: 'down' },
      ],
      next_attempt_at: null,
    });
    expect((await webhook.deliveries('?page=2&per_page=2')).deliveries).toMatchObject([{ id: oldest }]);
    expect((await webhook.deliveries('?page=3&per_page=2')).deliveries).toEqual([]);
  });

  test('of another webhook of the account are not among them', async () => {
    const first = await newWebhook();
    const second = await newWebhook(first.caller);
    const { delivery_id: id } = (await first.test()).body;
    expect(await second.deliveries()).toMatchObject({ deliveries: [], total: 0 });
    expectProblem(await second.repeat(id), 'not_found');
  });
});

describe('a repeated delivery', () => {
  test('waits to be handed over again with its id and body, and keeps its tries', async () => {
    const webhook = await newWebhook();
    const { delivery_id: id } = (await webhook.test()).body;
    await endAsFailed(id);
    const answer = await webhook.repeat(id);
    expect(answer).toMatchObject({ status: 202, body: { delivery_id: id } });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]$/);
    expect(await rowOf(id)).toMatchObject({
      status: 'pending',
      body: '{"as":"sent"}',
      handed_over_at: null,
      ended_at: null,
    });
    expect(await webhook.deliveries()).toMatchObject({
      deliveries: [{ id, status: 'pending', next_attempt_at: timestamp, attempts: [{}, {}] }],
      total: 1,
    });
  });

  test('is refused if the webhook is disabled, or there is none with its id', async () => {
    const webhook = await newWebhook();
    const { delivery_id: id } = (await webhook.test()).body;
    await endAsFailed(id);
    expectProblem(await webhook.repeat(randomUUID()), 'not_found');
    await webhook.disable();
    expectInvalid(await webhook.repeat(id), ['#']);
    expect(await rowOf(id)).toMatchObject({ status: 'failed' });
  });
});

test('an account creates only so many webhooks a day, however many it deletes', async () => {
  const caller = await service.newCaller();
  const asked = { url: 'https://hooks.example.com/', types: ['report.completed'] };
  for (let count = 0; count < keptRowsPerDayPerAccount; count++) {
    const { body } = await caller.post('/api/webhooks', asked, session);
    await caller.delete(`/api/webhooks/${body.webhook.id}`, session);
  }
  expectProblem(await caller.post('/api/webhooks', asked, session), 'rate_limited');
});
