import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../../platform/webhooks/receiver.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { addSecret, askAgain } from '../../support/webhooks.js';
import { type Subscriber, useSubscribers } from '../support/subscribers.js';

const keyRing = [{ kid: 'hooks', key: randomBytes(32) }];
const mailed: string[] = [];
/** Ten tries in a second. */
const pausesSeconds = Array.from({ length: 9 }, () => 0.05);
const service = await useTestService({
  keyRing,
  webhooks: { pausesSeconds, mailFailing: accountId => void mailed.push(accountId) },
});
const { db } = service.database;

const { answer, subscriber, told, deliveryOf, ended, attemptsOf, handleOf } = await useSubscribers(
  service,
  keyRing,
);

/** Never answers; the most requests that it had open at once. */
const open = { now: 0, most: 0 };
const silent = await startReceiver((_, response) => {
  open.now += 1;
  open.most = Math.max(open.most, open.now);
  response.on('close', () => (open.now -= 1));
});
afterAll(() => silent.close());

const endpointOf = ({ endpoint }: Subscriber) =>
  db.selectFrom('webhook_endpoints').selectAll().where('id', '=', endpoint.id).executeTakeFirstOrThrow();

describe('a completed report', () => {
  test('is sent within seconds, signed, with its entry in the record, and to its owner alone', async () => {
    const owner = await subscriber();
    const other = await subscriber();
    const report = await owner.caller.run('sample-fed-cut-2031');
    await until('it is sent', () => owner.received().length > 0);
    const [request] = owner.received();
    const body: any = new Webhook(owner.endpoint.secret).verify(request?.body ?? '', request?.headers as any);
    expect(body).toEqual({
      type: 'report.completed',
      timestamp: expect.any(String),
      data: {
        report_id: report.id,
        event_id: 'sample-fed-cut-2031',
        status: 'completed',
        record: { seq: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    const { body: shown } = await owner.caller.get(`/api/reports/${report.id}`);
    expect(body.data.record).toEqual(shown.record);
    expect(other.received()).toEqual([]);
    await until('it is stored', async () => (await endpointOf(owner)).last_delivery_at !== null);
  });
});

describe('a receiver', () => {
  test('that is down for five tries gets the same body under one id, and can tell repeats', async () => {
    const owner = await subscriber();
    answer(...Array.from({ length: 5 }, () => ({ status: 503 })), { status: 204 });
    const id = await told(owner, { hello: 'there' });
    expect(await ended(id)).toMatchObject({ status: 'delivered', next_attempt_at: null });
    const requests = owner.received();
    expect(requests.length).toBe(6);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of requests) new Webhook(owner.endpoint.secret).verify(body, headers as any);
    expect((await attemptsOf(id)).map(({ status_code, excerpt }) => [status_code, excerpt])).toEqual([
      ...Array.from({ length: 5 }, () => [503, 'an answer']),
      [204, ''],
    ]);
  });

  test('that answers 410 is tried once, and its endpoint is disabled as gone', async () => {
    const owner = await subscriber();
    answer({ status: 410 });
    expect(await ended(await told(owner))).toMatchObject({ status: 'failed' });
    expect(owner.received().length).toBe(1);
    expect(await endpointOf(owner)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect(mailed).toEqual([]);
    const later = await told(owner);
    expect(await ended(later)).toMatchObject({ status: 'failed' });
    expect(owner.received().length).toBe(1);
    expect(await attemptsOf(later)).toMatchObject([
      { status_code: null, error: 'Nothing was sent, because the endpoint is disabled.' },
    ]);
  });

  test('that redirects is not followed', async () => {
    const owner = await subscriber();
    const elsewhere = await subscriber();
    answer({ status: 307, headers: { location: elsewhere.path } }, { status: 204 });
    await ended(await told(owner));
    expect(owner.received().length).toBe(2);
    expect(elsewhere.received()).toEqual([]);
  });

  test('that fails at every try has its endpoint disabled, and its owner gets one mail', async () => {
    const owner = await subscriber();
    answer({ status: 500 });
    const ids = [await told(owner), await told(owner)];
    for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'failed' });
    expect(await endpointOf(owner)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    expect(mailed).toEqual([owner.accountId]);
    expect(Math.max(...(await Promise.all(ids.map(attemptsOf))).map(tries => tries.length))).toBe(10);
  });
});

test('after a rotation both secrets sign for as long as the earlier one lasts', async () => {
  const owner = await subscriber();
  const { accountId, endpoint } = owner;
  const of = { accountId, endpointId: endpoint.id };
  const earlier = await addSecret(db, keyRing, { ...of, endsAt: new Date(Date.now() + 86_400_000) });
  const ended1 = await addSecret(db, keyRing, { ...of, endsAt: new Date(Date.now() - 1) });
  await ended(await told(owner));
  const [{ body, headers }] = owner.received() as any;
  for (const secret of [endpoint.secret, earlier]) new Webhook(secret).verify(body, headers);
  expect(() => new Webhook(ended1).verify(body, headers)).toThrow();
});

describe('a delivery that is asked for again', () => {
  test('is sent at once under the same id, after it has ended', async () => {
    const owner = await subscriber();
    const id = await told(owner);
    await ended(id);
    await askAgain(db, id, new Date());
    await until('it is sent again', () => owner.received().length === 2);
    expect(await ended(id)).toMatchObject({ status: 'delivered' });
    expect(new Set(owner.received().map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  });

  test('is sent at once while it waits for its next try', async () => {
    const owner = await subscriber();
    answer({ status: 503, headers: { 'retry-after': '3600' } }, { status: 204 });
    const id = await told(owner);
    const isWaiting = ({ next_attempt_at: next }: { next_attempt_at: Date | null }) =>
      next !== null && next.getTime() > Date.now() + 3_000_000;
    await until('it waits for an hour', () => deliveryOf(id), isWaiting);
    await askAgain(db, id, new Date());
    expect(await ended(id)).toMatchObject({ status: 'delivered' });
    expect(owner.received().length).toBe(2);
  });
});

describe('a workflow', () => {
  test('that was terminated is started again', async () => {
    const owner = await subscriber();
    answer({ status: 503, headers: { 'retry-after': '3600' } }, { status: 204 });
    const id = await told(owner);
    await until('it was tried', () => owner.received().length === 1);
    await until('it is stored', async () => (await attemptsOf(id)).length === 1);
    await handleOf(id).terminate('by an operator');
    service.clock.offsetMs = 3_600_000 + 130_000;
    expect(await ended(id)).toMatchObject({ status: 'delivered' });
    service.clock.offsetMs = 0;
    expect(owner.received().length).toBe(2);
  });

  test('that sleeps past its time, because the clock of a worker was wrong, is woken', async () => {
    const owner = await subscriber();
    answer({ status: 503, headers: { 'retry-after': '3600' } }, { status: 204 });
    const id = await told(owner);
    await until('it is stored', async () => (await attemptsOf(id)).length === 1);
    const longAgo = new Date(Date.now() - 130_000);
    const overdue = { next_attempt_at: longAgo, handed_over_at: longAgo };
    await db.updateTable('webhook_deliveries').set(overdue).where('id', '=', id).execute();
    expect(await ended(id)).toMatchObject({ status: 'delivered' });
    expect(owner.received().length).toBe(2);
  });
});

test('deliveries wait while no worker hands them over, and one that was claimed is not lost with its worker', async () => {
  const owner = await subscriber();
  await service.stopWorker();
  const waiting = await told(owner);
  const claimed = await told(owner);
  await db
    .updateTable('webhook_deliveries')
    .set({ handed_over_at: new Date(), next_attempt_at: new Date() })
    .where('id', '=', claimed)
    .execute();
  service.clock.offsetMs = 130_000;
  await service.startWorker();
  for (const id of [waiting, claimed]) expect(await ended(id)).toMatchObject({ status: 'delivered' });
  service.clock.offsetMs = 0;
  expect(owner.received().length).toBe(2);
});

test('an endpoint that hangs does not hold the others', async () => {
  const hanging = await subscriber();
  const quick = await subscriber();
  await db
    .updateTable('webhook_endpoints')
    .set({ url: `http://127.0.0.1:${silent.port}/` })
    .where('id', '=', hanging.endpoint.id)
    .execute();
  for (let n = 0; n < 20; n++) await told(hanging);
  await until('its places are taken', () => silent.received.length >= 5);
  const id = await told(quick);
  expect(await ended(id)).toMatchObject({ status: 'delivered' });
  await until('others take the places', () => silent.received.length >= 10);
  expect(open.most).toBe(5);
});
