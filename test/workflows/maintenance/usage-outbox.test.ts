import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createMaintenanceActivities } from '../../../activities/maintenance/maintenance-activities.js';
import type { UsageSender } from '../../../activities/maintenance/send-usage.js';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { voidUsage } from '../../../db/billing/usage.js';
import { saveEvent } from '../../../db/reports/events.js';
import { PaymentsUnavailable } from '../../../payments/payment-gateway.js';
import { createMetrics } from '../../../telemetry/metrics.js';
import { event, market } from '../../council/fixtures.js';
import { bought, complete, purchaseRequest } from '../../db/support/purchases.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { subscribe } from '../../support/service/subscribe.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

type Usage = Parameters<UsageSender['sendUsage']>[0];

/** A payment provider that counts an identifier once. A test controls its responses. */
const stripe = {
  counted: new Map<string, Usage>(),
  cancelled: [] as string[],
  sends: 0,
  fault: undefined as ((usage: Usage) => void | Promise<void>) | undefined,
  loseResponses: false,
};

const sender: UsageSender = {
  async sendUsage(usage) {
    stripe.sends++;
    await stripe.fault?.(usage);
    stripe.counted.set(usage.identifier, usage);
    if (stripe.loseResponses) throw unavailable();
  },
  async cancelUsage({ identifier }) {
    stripe.cancelled.push(identifier);
  },
};

const unavailable = () => new PaymentsUnavailable('Stripe: no answer', { retryable: true });
const refused = () => new PaymentsUnavailable('Stripe: 400', { retryable: false });

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ usageSender: sender });
});

afterAll(async () => {
  const { drift } = await auditBooks(service.database.db, new Date());
  await service.stop();
  expect(drift).toEqual([]);
});

/** Each test starts with an empty outbox and a provider without faults. */
afterEach(async () => {
  service.clock.offsetMs = 0;
  Object.assign(stripe, { sends: 0, fault: undefined, loseResponses: false, cancelled: [] });
  for (const { id } of await rows('pending'))
    await voidUsage(service.database.db, id, { reason: 'test', now: new Date() });
  stripe.counted.clear();
});

const hours = 3_600_000;
const days = 24 * hours;

const rows = (state: 'pending' | 'sent' | 'held' | 'void') =>
  service.database.db.selectFrom('usage_outbox').selectAll().where('state', '=', state).execute();

const stateOf = async (id: string) =>
  (
    await service.database.db
      .selectFrom('usage_outbox')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state;

/** Delivers a report to a new subscriber. @returns the id of its usage */
async function delivered(): Promise<string> {
  const { db } = service.database;
  const now = new Date(Date.now() + service.clock.offsetMs);
  const { accountId } = await service.newCaller();
  await subscribe(db, accountId);
  const rain = event([market({ name: 'Rain' })], { eventId: `event-${accountId}` });
  await saveEvent(db, rain, now);
  const utcDay = now.toISOString().slice(0, 10);
  const purchase = purchaseRequest({ accountId, eventId: rain.eventId, utcDay, lane: 'subscription' }, now);
  const { reportId } = await bought(db, purchase, { now });
  await complete(db, reportId, 0, now);
  return purchase.purchaseId;
}

const round = () => runRound(service, 'send-usage');

describe('a delivered report of a subscription', () => {
  test('is sent once, with its id, its customer, its price and the time of its delivery', async () => {
    const id = await delivered();
    const [row] = await rows('pending');
    expect(await round()).toEqual({ sent: 1, held: 0, voided: 0, failed: 0, reachable: true });
    expect(await round()).toMatchObject({ sent: 0 });
    expect(stripe.sends).toBe(1);
    expect(stripe.counted.get(id)).toEqual({
      identifier: id,
      customerId: row?.stripe_customer_id,
      valueUsdCents: 300,
      occurredAt: row?.occurred_at,
    });
    expect(await stateOf(id)).toBe('sent');
  });

  test('waits while the provider is unavailable, with one attempt per round, and is sent afterwards', async () => {
    const ids = [await delivered(), await delivered(), await delivered()];
    stripe.fault = () => {
      throw unavailable();
    };
    expect(await round()).toEqual({ sent: 0, held: 0, voided: 0, failed: 1, reachable: false });
    expect(stripe.sends).toBe(1);
    expect(await rows('pending')).toHaveLength(3);
    stripe.fault = undefined;
    expect(await round()).toMatchObject({ sent: 3, failed: 0 });
    expect([...stripe.counted.keys()]).toEqual(ids);
  });

  test('waits if payments are not configured, and no attempt is recorded', async () => {
    const id = await delivered();
    const activities = createMaintenanceActivities({
      metrics: createMetrics(),
      db: service.database.db,
      payments: null,
      checkoutReader: null,
      temporal: service.temporal,
      now: () => new Date(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    expect(await activities.sendUsage()).toMatchObject({ sent: 0, failed: 0, reachable: false });
    expect(await rows('pending')).toMatchObject([{ id, first_tried_at: null }]);
  });

  test('is sent again under the same id after a lost response, and counts once', async () => {
    const id = await delivered();
    stripe.loseResponses = true;
    expect(await round()).toMatchObject({ sent: 0, failed: 1 });
    expect(await stateOf(id)).toBe('pending');
    stripe.loseResponses = false;
    expect(await round()).toMatchObject({ sent: 1 });
    expect(stripe.sends).toBe(2);
    expect([...stripe.counted.keys()]).toEqual([id]);
  });

  test('counts once when several senders run concurrently', async () => {
    const ids = [await delivered(), await delivered()];
    await Promise.all([round(), round(), round()]);
    expect([...stripe.counted.keys()].toSorted()).toEqual(ids.toSorted());
    expect(await rows('pending')).toEqual([]);
  });

  test('does not block others when it is refused', async () => {
    const [bad, good] = [await delivered(), await delivered()];
    stripe.fault = ({ identifier }) => {
      if (identifier === bad) throw refused();
    };
    expect(await round()).toEqual({ sent: 1, held: 0, voided: 0, failed: 1, reachable: true });
    expect([await stateOf(bad), await stateOf(good)]).toEqual(['pending', 'sent']);
  });

  test('is not sent after ten refusals in one round', async () => {
    for (let n = 0; n < 12; n++) await delivered();
    stripe.fault = () => {
      throw refused();
    };
    expect(await round()).toMatchObject({ sent: 0, failed: 10, reachable: false });
    expect(stripe.sends).toBe(10);
  }, 120_000);
});

describe('usage that may have been counted', () => {
  test('is sent again within 23 hours of its first attempt, and held for review after that', async () => {
    const [early, late] = [await delivered(), await delivered()];
    stripe.loseResponses = true;
    await round();
    stripe.fault = () => {
      throw unavailable();
    };
    await round();
    service.clock.offsetMs = 22.9 * hours;
    Object.assign(stripe, { fault: undefined, loseResponses: false });
    stripe.fault = ({ identifier }) => {
      if (identifier === late) throw refused();
    };
    expect(await round()).toMatchObject({ sent: 1, held: 0, failed: 1 });
    expect(await stateOf(early)).toBe('sent');

    // The first attempt of the second one was in the last round, so its 23 hours begin there.
    service.clock.offsetMs = 45.8 * hours;
    expect(await round()).toMatchObject({ sent: 0, held: 0, failed: 1 });
    service.clock.offsetMs = 46 * hours;
    stripe.fault = undefined;
    const before = stripe.sends;
    expect(await round()).toMatchObject({ sent: 0, held: 1 });
    expect(stripe.sends).toBe(before);
    expect(await stateOf(late)).toBe('held');
    expect(await round()).toMatchObject({ sent: 0, held: 0 });
  });

  test('is held without an attempt when it is older than the provider accepts', async () => {
    const id = await delivered();
    service.clock.offsetMs = 34 * days + hours;
    expect(await round()).toMatchObject({ sent: 0, held: 1 });
    expect(await stateOf(id)).toBe('held');
    expect(stripe.sends).toBe(0);
  });
});

describe('usage that is voided', () => {
  test('before it was sent is never sent', async () => {
    const id = await delivered();
    expect(await voidUsage(service.database.db, id, { reason: 'test', now: new Date() })).toBe(false);
    expect(await round()).toMatchObject({ sent: 0, voided: 0 });
    expect(stripe.sends).toBe(0);
  });

  test('while it is being sent is cancelled by the sender', async () => {
    const id = await delivered();
    stripe.fault = async () =>
      void (await voidUsage(service.database.db, id, { reason: 'test', now: new Date() }));
    expect(await round()).toMatchObject({ sent: 0, voided: 1 });
    expect(stripe.cancelled).toEqual([id]);
    expect(await stateOf(id)).toBe('void');
  });
});
