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

/** A payment provider that counts an identifier once, and to whose answers a test can do what it likes. */
const stripe = {
  counted: new Map<string, Usage>(),
  cancelled: [] as string[],
  sends: 0,
  trouble: undefined as ((usage: Usage) => void | Promise<void>) | undefined,
  loseAnswers: false,
};

const sender: UsageSender = {
  async sendUsage(usage) {
    stripe.sends++;
    await stripe.trouble?.(usage);
    stripe.counted.set(usage.identifier, usage);
    if (stripe.loseAnswers) throw away();
  },
  async cancelUsage({ identifier }) {
    stripe.cancelled.push(identifier);
  },
};

const away = () => new PaymentsUnavailable('Stripe: no answer', { retryable: true });
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

/** Every test finds an empty outbox, and a provider that does as it is told. */
afterEach(async () => {
  service.clock.offsetMs = 0;
  Object.assign(stripe, { sends: 0, trouble: undefined, loseAnswers: false, cancelled: [] });
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

/** A report that a subscriber has bought and been given now. @returns the id of its usage */
async function delivered(): Promise<string> {
  const { db } = service.database;
  const now = new Date(Date.now() + service.clock.offsetMs);
  const { accountId } = await service.newCaller();
  await subscribe(db, accountId);
  const told = event([market({ name: 'Rain' })], { eventId: `event-${accountId}` });
  await saveEvent(db, told, now);
  const utcDay = now.toISOString().slice(0, 10);
  const purchase = purchaseRequest({ accountId, eventId: told.eventId, utcDay, lane: 'subscription' }, now);
  const { reportId } = await bought(db, purchase, { now });
  await complete(db, reportId, 0, now);
  return purchase.purchaseId;
}

const round = () => runRound(service, 'send-usage');

describe('a delivered report of a subscription', () => {
  test('is sent once, by its own id, at its price, to its customer, for the hour it was delivered', async () => {
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

  test('waits while the provider is away, with one attempt a round, and is sent when it is back', async () => {
    const ids = [await delivered(), await delivered(), await delivered()];
    stripe.trouble = () => {
      throw away();
    };
    expect(await round()).toEqual({ sent: 0, held: 0, voided: 0, failed: 1, reachable: false });
    expect(stripe.sends).toBe(1);
    expect(await rows('pending')).toHaveLength(3);
    stripe.trouble = undefined;
    expect(await round()).toMatchObject({ sent: 3, failed: 0 });
    expect([...stripe.counted.keys()]).toEqual(ids);
  });

  test('waits where payments are not configured, and nobody takes it for tried', async () => {
    const id = await delivered();
    const activities = createMaintenanceActivities({
      metrics: createMetrics(),
      db: service.database.db,
      payments: null,
      temporal: service.temporal,
      now: () => new Date(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    expect(await activities.sendUsage()).toMatchObject({ sent: 0, failed: 0, reachable: false });
    expect(await rows('pending')).toMatchObject([{ id, first_tried_at: null }]);
  });

  test('whose answer was lost is sent again under the same id, and counts once', async () => {
    const id = await delivered();
    stripe.loseAnswers = true;
    expect(await round()).toMatchObject({ sent: 0, failed: 1 });
    expect(await stateOf(id)).toBe('pending');
    stripe.loseAnswers = false;
    expect(await round()).toMatchObject({ sent: 1 });
    expect(stripe.sends).toBe(2);
    expect([...stripe.counted.keys()]).toEqual([id]);
  });

  test('counts once when several senders meet', async () => {
    const ids = [await delivered(), await delivered()];
    await Promise.all([round(), round(), round()]);
    expect([...stripe.counted.keys()].toSorted()).toEqual(ids.toSorted());
    expect(await rows('pending')).toEqual([]);
  });

  test('that is refused holds up no other', async () => {
    const [bad, good] = [await delivered(), await delivered()];
    stripe.trouble = ({ identifier }) => {
      if (identifier === bad) throw refused();
    };
    expect(await round()).toEqual({ sent: 1, held: 0, voided: 0, failed: 1, reachable: true });
    expect([await stateOf(bad), await stateOf(good)]).toEqual(['pending', 'sent']);
  });

  test('is not tried by the hundred when all are refused', async () => {
    for (let n = 0; n < 12; n++) await delivered();
    stripe.trouble = () => {
      throw refused();
    };
    expect(await round()).toMatchObject({ sent: 0, failed: 10, reachable: false });
    expect(stripe.sends).toBe(10);
  }, 120_000);
});

describe('usage of which nobody knows whether it was counted', () => {
  test('is sent again within 23 hours of its first try, and held for a person after that', async () => {
    const [early, late] = [await delivered(), await delivered()];
    stripe.loseAnswers = true;
    await round();
    stripe.trouble = () => {
      throw away();
    };
    await round();
    service.clock.offsetMs = 22.9 * hours;
    Object.assign(stripe, { trouble: undefined, loseAnswers: false });
    stripe.trouble = ({ identifier }) => {
      if (identifier === late) throw refused();
    };
    expect(await round()).toMatchObject({ sent: 1, held: 0, failed: 1 });
    expect(await stateOf(early)).toBe('sent');

    // The second was only tried now: its 23 hours begin here.
    service.clock.offsetMs = 45.8 * hours;
    expect(await round()).toMatchObject({ sent: 0, held: 0, failed: 1 });
    service.clock.offsetMs = 46 * hours;
    stripe.trouble = undefined;
    const before = stripe.sends;
    expect(await round()).toMatchObject({ sent: 0, held: 1 });
    expect(stripe.sends).toBe(before);
    expect(await stateOf(late)).toBe('held');
    expect(await round()).toMatchObject({ sent: 0, held: 0 });
  });

  test('is held when it is older than the provider takes, though it was never tried', async () => {
    const id = await delivered();
    service.clock.offsetMs = 34 * days + hours;
    expect(await round()).toMatchObject({ sent: 0, held: 1 });
    expect(await stateOf(id)).toBe('held');
    expect(stripe.sends).toBe(0);
  });
});

describe('usage that is taken off the bill', () => {
  test('before it was sent is never sent', async () => {
    const id = await delivered();
    expect(await voidUsage(service.database.db, id, { reason: 'test', now: new Date() })).toBe(false);
    expect(await round()).toMatchObject({ sent: 0, voided: 0 });
    expect(stripe.sends).toBe(0);
  });

  test('while it is being sent is cancelled by the sender', async () => {
    const id = await delivered();
    stripe.trouble = async () =>
      void (await voidUsage(service.database.db, id, { reason: 'test', now: new Date() }));
    expect(await round()).toMatchObject({ sent: 0, voided: 1 });
    expect(stripe.cancelled).toEqual([id]);
    expect(await stateOf(id)).toBe('void');
  });
});
