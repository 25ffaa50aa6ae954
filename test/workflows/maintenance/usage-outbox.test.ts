import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { voidUsage } from '../../../db/billing/usage-corrections.js';
import { later } from '../../db/support/test-world.js';
import { until } from '../../support/until.js';
import { useOutbox } from '../support/test-outbox.js';
import { failing, refused, throttled, unavailable, wrongKey } from '../support/usage-provider.js';

const hourMs = 3_600_000;
const { world, stripe, clock, rows, stateOf, now, delivered, round, fill } = useOutbox();

const nothing = { sent: 0, held: 0, voided: 0, failed: 0, cancelled: 0, reachable: true, more: false };

/** All usage that failed is due again after it. */
const pass = (ms = hourMs) => (clock.offsetMs += ms);

describe('a delivered report of a subscription', () => {
  test('is sent once, with its id, its customer, its price and the time of its purchase', async () => {
    const id = await delivered();
    const [row] = await rows('pending');
    expect(await round()).toEqual({ ...nothing, sent: 1 });
    expect(await round()).toEqual(nothing);
    expect(stripe.sends).toBe(1);
    expect(stripe.counted.get(id)).toEqual({
      identifier: id,
      customerId: row?.stripe_customer_id,
      valueUsdCents: 300,
      occurredAt: row?.occurred_at,
    });
    expect(await stateOf(id)).toBe('sent');
  });

  test('waits while the provider is unavailable, with few attempts per round, and is sent afterwards', async () => {
    await fill({ customers: 30, reportsEach: 1, at: later({ minutes: -10 }) });
    const ids = (await rows('pending')).map(({ id }) => id);
    stripe.fault = () => {
      throw unavailable();
    };
    const { sent, failed, reachable } = await round();
    expect({ sent, reachable }).toEqual({ sent: 0, reachable: false });
    // The calls that are under way when the round gives up end as well.
    expect(failed).toBeLessThan(10 + 16);
    expect(stripe.sends).toBe(failed);
    expect(await rows('pending')).toHaveLength(30);
    stripe.fault = undefined;
    pass();
    expect(await round()).toMatchObject({ sent: 30, failed: 0 });
    expect([...stripe.counted.keys()].toSorted()).toEqual(ids.toSorted());
  });

  test('waits if payments are not configured, and no attempt is recorded', async () => {
    const id = await delivered();
    expect(await round(null)).toMatchObject({ sent: 0, failed: 0, reachable: false });
    expect(await rows('pending')).toMatchObject([{ id, first_tried_at: null }]);
  });

  test('is sent again under the same id after a lost response, and counts once', async () => {
    const id = await delivered();
    stripe.loseResponses = true;
    expect(await round()).toMatchObject({ sent: 0, failed: 1 });
    expect(await stateOf(id)).toBe('pending');
    stripe.loseResponses = false;
    pass();
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

  test('waits behind the others when it is refused, longer each time', async () => {
    const [bad, good] = [await delivered(), await delivered()];
    stripe.fault = ({ identifier }) => {
      if (identifier === bad) throw refused();
    };
    expect(await round()).toEqual({ ...nothing, sent: 1, failed: 1 });
    expect([await stateOf(bad), await stateOf(good)]).toEqual(['pending', 'sent']);
    expect(await round()).toEqual(nothing);
    clock.offsetMs = 61_000;
    expect(await round()).toEqual({ ...nothing, failed: 1 });
    clock.offsetMs = 2 * 61_000;
    expect(await round()).toEqual(nothing);
    clock.offsetMs = 3 * 61_000;
    stripe.fault = undefined;
    expect(await round()).toEqual({ ...nothing, sent: 1 });
  });

  test('is sent although 100 refused ones wait longer, side by side, one call at a time for each customer', async () => {
    const bad = new Set(await fill({ customers: 100, reportsEach: 1, at: later({ minutes: -20 }) }));
    const good = await fill({ customers: 30, reportsEach: 5, at: later({ minutes: -10 }) });
    const underWay: string[] = [];
    let atOnce = 0;
    let twice = 0;
    stripe.fault = async ({ customerId }) => {
      if (underWay.includes(customerId)) twice++;
      underWay.push(customerId);
      atOnce = Math.max(atOnce, underWay.length);
      await until('eight calls at once', () => underWay.length >= 8 || stripe.counted.size > 100);
      underWay.splice(underWay.indexOf(customerId), 1);
      if (bad.has(customerId)) throw refused();
    };
    expect(await round()).toEqual({ ...nothing, sent: 150, failed: 100 });
    expect(twice).toBe(0);
    expect(atOnce).toBeGreaterThanOrEqual(8);
    expect(atOnce).toBeLessThanOrEqual(16);
    expect(new Set([...stripe.counted.values()].map(usage => usage.customerId))).toEqual(new Set(good));
    expect(await round()).toEqual(nothing);
  });

  test('waits as long as the provider asks when it is throttled, and is sent in the same round', async () => {
    await fill({ customers: 20, reportsEach: 1, at: later({ minutes: -10 }) });
    let answers = 0;
    stripe.fault = () => {
      if (++answers <= 10) throw throttled();
    };
    expect(await round()).toMatchObject({ sent: 20, reachable: true });
  });

  test('is not sent after ten refusals of this service’s key', async () => {
    await fill({ customers: 30, reportsEach: 1, at: later({ minutes: -10 }) });
    stripe.fault = () => {
      throw wrongKey();
    };
    const { sent, reachable } = await round();
    expect({ sent, reachable }).toEqual({ sent: 0, reachable: false });
    expect(stripe.sends).toBeLessThan(10 + 16);
  });
});

describe('usage that may have been counted', () => {
  test('is sent again within 23 hours of its first attempt, and held for review after that', async () => {
    const [early, late] = [await delivered(), await delivered()];
    stripe.loseResponses = true;
    await round();
    clock.offsetMs = 22.9 * hourMs;
    stripe.loseResponses = false;
    stripe.fault = ({ identifier }) => {
      if (identifier === late) throw failing();
    };
    expect(await round()).toMatchObject({ sent: 1, held: 0, failed: 1 });
    expect(await stateOf(early)).toBe('sent');
    clock.offsetMs = 23.1 * hourMs;
    stripe.fault = undefined;
    const before = stripe.sends;
    expect(await round()).toMatchObject({ sent: 0, held: 1 });
    expect(stripe.sends).toBe(before);
    expect(await stateOf(late)).toBe('held');
    expect(await round()).toEqual(nothing);
  });

  test('is not held while every attempt was refused, because it cannot have been counted', async () => {
    const id = await delivered();
    stripe.fault = () => {
      throw refused();
    };
    await round();
    clock.offsetMs = 30 * hourMs;
    expect(await round()).toMatchObject({ held: 0, failed: 1 });
    clock.offsetMs = 60 * hourMs;
    stripe.fault = undefined;
    expect(await round()).toMatchObject({ held: 0, sent: 1 });
    expect(await stateOf(id)).toBe('sent');
  });

  test('is held without an attempt when it is older than the provider accepts', async () => {
    const id = await delivered();
    clock.offsetMs = (34 * 24 + 1) * hourMs;
    expect(await round()).toMatchObject({ sent: 0, held: 1 });
    expect(await stateOf(id)).toBe('held');
    expect(stripe.sends).toBe(0);
  });
});

describe('usage that is voided', () => {
  const take = (id: string) => voidUsage(world.db, id, { reason: 'test', now: now() });

  const cancellationOf = async (id: string) =>
    (await rows('void')).find(row => row.id === id)?.cancellation ?? null;

  test('before it was sent is never sent', async () => {
    const id = await delivered();
    expect(await take(id)).toBeNull();
    expect(await round()).toEqual(nothing);
    expect(stripe.sends).toBe(0);
  });

  test('between the mark and the call is sent once, and cancelled by the sender', async () => {
    const id = await delivered();
    stripe.fault = async () => {
      await take(id);
      // An operator’s cancellation comes before the event: Stripe does not know it.
      await expect(stripe.sender.cancelUsage({ identifier: id, series: 0 })).rejects.toThrow('400');
    };
    expect(await round()).toMatchObject({ sent: 0, voided: 1, cancelled: 1 });
    expect([...stripe.counted.keys()]).toEqual([]);
    expect([await stateOf(id), await cancellationOf(id)]).toEqual(['void', 'done']);
    // The response to the operator’s cancellation must not be repeated for this one.
    expect(stripe.cancelled.at(-1)).toEqual({ identifier: id, series: 1 });
  });

  test('after a call whose response was lost is cancelled by the next round', async () => {
    const id = await delivered();
    stripe.loseResponses = true;
    await round();
    await take(id);
    stripe.loseResponses = false;
    expect(await round()).toEqual({ ...nothing, cancelled: 1 });
    expect([...stripe.counted.keys()]).toEqual([]);
    expect(await round()).toEqual(nothing);
  });

  test('is cancelled until Stripe confirms it, in a new series after each recorded failure', async () => {
    const id = await delivered();
    await round();
    await take(id);
    stripe.cancelFault = () => {
      throw failing();
    };
    expect(await round()).toMatchObject({ cancelled: 0, reachable: true });
    stripe.cancelFault = () => {
      throw unavailable();
    };
    pass();
    await round();
    stripe.cancelFault = undefined;
    pass();
    expect(await round()).toMatchObject({ cancelled: 1 });
    expect(stripe.cancelled.map(({ series }) => series)).toEqual([0, 1, 1]);
    expect([[...stripe.counted.keys()], await cancellationOf(id)]).toEqual([[], 'done']);
  });

  test('and not cancelled within a day is left to an operator', async () => {
    const id = await delivered();
    await round();
    await take(id);
    stripe.cancelFault = () => {
      throw refused();
    };
    clock.offsetMs = 25 * hourMs;
    await round();
    expect(await cancellationOf(id)).toBe('expired');
    const { notices } = await auditBooks(world.db, now());
    expect(notices).toContainEqual(expect.stringMatching(`usage ${id} .* did not cancel it within a day`));
    pass();
    expect(await round()).toEqual(nothing);
  });
});
