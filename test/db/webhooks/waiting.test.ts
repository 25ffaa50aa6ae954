import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { prune } from '../../../db/pruning/prune.js';
import { claimDeliveries } from '../../../db/webhooks/outbox.js';
import { openTry, recordTry } from '../../../db/webhooks/tries.js';
import { readWebhookFigures } from '../../../db/webhooks/waiting.js';
import { type AfterTry, webhookTypes } from '../../../purchase/webhooks.js';
import { newEndpoint } from '../../support/webhooks.js';
import { complete, sell } from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const keyRing = [{ kid: 'k', key: randomBytes(32) }];

/** Completes a report of an account with an endpoint, and hands its delivery over. @returns its id */
async function handedOver(): Promise<string> {
  const accountId = await world.openAccount(1_000);
  const url = 'https://hooks.example.com';
  const { id } = await newEndpoint(world.db, keyRing, { accountId, url, types: webhookTypes });
  const { reportId } = await sell(world, { accountId });
  await complete(world.db, reportId);
  const [row] = await world.sql('select id from webhook_deliveries where endpoint_id = $1', [id]);
  return row.id;
}

async function tried(deliveryId: string, after: AfterTry): Promise<void> {
  const due = await openTry(world.db, deliveryId, noon);
  if (due.kind !== 'due') throw new Error(due.kind);
  const got = { statusCode: 503, retryAfterSeconds: null, error: null, excerpt: '', now: noon };
  await recordTry(world.db, { ...due, deliveryId }, got, () => after);
}

test('operators see what waits, how long, and how many endpoints fail', async () => {
  const nothing = { pending: 0, oldestSeconds: 0, unhandedSeconds: 0, due: 0, failingEndpoints: 0 };
  expect(await readWebhookFigures(world.db, noon)).toEqual(nothing);
  const id = await handedOver();
  expect(await readWebhookFigures(world.db, later({ seconds: 90 }))).toEqual({
    pending: 1,
    oldestSeconds: 90,
    unhandedSeconds: 90,
    due: 1,
    failingEndpoints: 0,
  });
  await claimDeliveries(world.db, { now: later({ seconds: 4 }), max: 10 });
  await tried(id, { kind: 'again', afterSeconds: 300 });
  expect(await readWebhookFigures(world.db, later({ seconds: 90 }))).toEqual({
    pending: 1,
    oldestSeconds: 90,
    unhandedSeconds: 0,
    due: 0,
    failingEndpoints: 1,
  });
});

test('a delivery that has ended is deleted after 30 days with its tries, and one that has not is kept', async () => {
  await world.sql('delete from webhook_deliveries');
  const [done, pending] = [await handedOver(), await handedOver()];
  await tried(done, { kind: 'delivered' });
  await tried(pending, { kind: 'again', afterSeconds: 5 });
  expect(await prune(world.db, later({ hours: 30 * 24 }))).toMatchObject({ webhook_deliveries: 0 });
  expect(await prune(world.db, later({ hours: 30 * 24 + 1 }))).toMatchObject({ webhook_deliveries: 1 });
  expect(await world.sql('select delivery_id from webhook_attempts')).toEqual([{ delivery_id: pending }]);
});
