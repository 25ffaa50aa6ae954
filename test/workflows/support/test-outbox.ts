import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { openAccount } from '../../../db/accounts/accounts.js';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { voidUsage } from '../../../db/billing/usage-corrections.js';
import { saveEvent } from '../../../db/reports/events.js';
import { event, market } from '../../council/fixtures.js';
import { bought, complete, purchaseRequest } from '../../db/support/purchases.js';
import { subscribe } from '../../support/service/subscribe.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createUsageProvider } from './usage-provider.js';

/** A service with a payment provider. Each test starts with an empty outbox and a provider without faults. */
export function useOutbox() {
  const stripe = createUsageProvider();
  let started: TestService | undefined;
  const service = () => {
    if (started === undefined) throw new Error('the service is not started');
    return started;
  };
  const { rows, stateOf, now } = readers(service);
  beforeAll(async () => {
    started = await startTestService({ usageSender: stripe.sender });
  });
  afterAll(async () => {
    const { drift } = await auditBooks(service().database.db, new Date());
    await service().stop();
    expect(drift).toEqual([]);
  });
  afterEach(async () => {
    const { clock, database } = service();
    clock.offsetMs = 0;
    for (const { id } of await rows('pending'))
      await voidUsage(database.db, id, { reason: 'test', now: new Date() });
    await database.db
      .updateTable('usage_outbox')
      .set({ cancellation: 'done' })
      .where('cancellation', '=', 'due')
      .execute();
    stripe.reset();
  });
  return { stripe, service, rows, stateOf, now, delivered: () => deliver(service(), now()) };
}

function readers(service: () => TestService) {
  return {
    rows: (state: 'pending' | 'sent' | 'held' | 'void') =>
      service().database.db.selectFrom('usage_outbox').selectAll().where('state', '=', state).execute(),
    stateOf: async (id: string) => {
      const usage = service().database.db.selectFrom('usage_outbox').select('state').where('id', '=', id);
      return (await usage.executeTakeFirstOrThrow()).state;
    },
    now: () => new Date(Date.now() + service().clock.offsetMs),
  };
}

/** Delivers a report to a new subscriber. @returns the id of its usage */
async function deliver(service: TestService, boughtAt: Date): Promise<string> {
  const { db } = service.database;
  // Not by signing up: a session would have ended where the test's clock is ahead by more than a week.
  const { id: accountId } = await openAccount(db, {
    issuer: 'https://id.example',
    subject: randomUUID(),
    email: null,
    newId: randomUUID(),
  });
  await subscribe(db, accountId);
  const rain = event([market({ name: 'Rain' })], { eventId: `event-${accountId}` });
  await saveEvent(db, rain, boughtAt);
  const utcDay = boughtAt.toISOString().slice(0, 10);
  const purchase = purchaseRequest({ accountId, eventId: rain.eventId, utcDay, lane: 'subscription' });
  const { reportId } = await bought(db, purchase, { now: boughtAt });
  await complete(db, reportId, 0, boughtAt);
  return purchase.purchaseId;
}
