import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reconcile } from '../db/support/reconcile.js';
import { footprint } from '../support/machine/footprint.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { setPrice } from '../support/service/set-price.js';
import { subscribe } from '../support/service/subscribe.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { until } from '../support/until.js';
import { ToolUser } from './support/clients.js';
import { type Proxy, type ProxyAction, startProxy } from './support/proxy.js';

const events = createSampleEventCopies();
const forward: ProxyAction = 'forward';
let service: TestService;
let proxy: Proxy;

beforeAll(async () => {
  service = await startTestService({ markets: events });
  proxy = await startProxy(service.url);
});
beforeEach(async () => {
  proxy.onRequest = () => forward;
  proxy.requests.length = 0;
  await waitForRuns();
  await setPrice(service.database.db, 120);
});
afterEach(() => service.simulator.clearFaults());
afterAll(async () => {
  await proxy.close();
  const faults = await reconcile(service.database.db);
  await service.stop();
  expect(faults).toEqual([]);
});

const anEvent = () => events.retell('sample-fed-cut-2031');
const userOf = ({ key }: TestCaller) => ToolUser.overHttp(service.url, { authorization: `Bearer ${key}` });
/** A server that calls the API through the proxy. */
const proxiedUserOf = ({ key }: TestCaller) => ToolUser.inProcess(proxy.url, { 'x-api-key': key });

const spent = async (caller: TestCaller) =>
  (await caller.ledger())
    .filter(({ kind }) => kind === 'charge')
    .map(({ amount_credits }) => -amount_credits);

/** Completed runs move the price. */
const waitForRuns = () =>
  until(
    'no run is in progress',
    () =>
      service.database.pool.query(
        "select 1 from reports where status in ('pending', 'processing') and event_id not like 'price-%'",
      ),
    ({ rows }) => rows.length === 0,
  );

/** Completes a report of another account on the event, so that it is cached. */
async function report(eventId: string): Promise<void> {
  const seller = await service.newCaller(1_000);
  await seller.untilEnded((await seller.buy(eventId)).body.report_id);
}

describe('run_report', () => {
  test('buys at the checked price and returns the charge', async () => {
    const caller = await service.newCaller(1_000);
    const user = await userOf(caller);
    const eventId = anEvent();
    const check = await user.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ cost_credits: 120, balance_credits: 1_000, price_usd_cents: 0 });
    expect(check.data.next_step).toContain('the price, 120 credits, and ask');
    const run = await user.call('run_report', { event_id: eventId, max_credits: 120 });
    expect(run.data).toMatchObject({ credits_spent: 120, cached: false, report: null });
    expect(run.text).toContain('Charged: 120 credits');
    expect(await spent(caller)).toEqual([120]);
  });

  test('is refused free of charge above max_credits, with the cost', async () => {
    const caller = await service.newCaller(1_000);
    const user = await userOf(caller);
    const before = await footprint(service);
    const run = await user.call('run_report', { event_id: anEvent(), max_credits: 119 });
    expect(run).toMatchObject({
      isError: true,
      data: { code: 'over_max_credits', cost_credits: 120, max_credits: 119, lane: 'credits' },
    });
    expect(run.data.next_step).toContain('max_credits 120');
    expect(await footprint(service)).toEqual(before);
  });

  test.each([
    // Checked price, price at purchase, max_credits, expected charges.
    [120, 121, 120, [120]],
    [120, 138, 120, [120]],
    [120, 139, 120, []],
    [120, 400, 120, []],
    [120, 400, 1_000, []],
    [120, 110, 120, [110]],
    [120, 102, 120, [102]],
    [120, 60, 120, []],
    [100, 115, 100, [100]],
    [100, 99, 99, []],
  ])(
    'never costs more than max_credits when the price moves from %i to %i in between (at most %i: %j)',
    async (checked, bought, maxCredits, charged) => {
      const caller = await service.newCaller(1_000);
      const user = await proxiedUserOf(caller);
      await setPrice(service.database.db, checked);
      proxy.onRequest = async what => {
        if (what === 'POST /api/reports') await setPrice(service.database.db, bought);
        return forward;
      };
      const run = await user.call('run_report', { event_id: anEvent(), max_credits: maxCredits });
      expect(await spent(caller)).toEqual(charged);
      expect(Math.max(0, ...charged)).toBeLessThanOrEqual(maxCredits);
      if (charged.length > 0) expect(run.data.credits_spent).toBe(charged[0]);
      else if (checked <= maxCredits) {
        expect(run.data).toMatchObject({ code: 'quote_expired', cost_credits: bought });
        expect(run.data.next_step).toContain(`${bought} credits`);
      }
    },
  );

  test('never costs more than max_credits when the checked cached report has expired', async () => {
    const caller = await service.newCaller(1_000);
    const user = await proxiedUserOf(caller);
    const eventId = anEvent();
    await report(eventId);
    await setPrice(service.database.db, 120);
    proxy.onRequest = what => {
      // The next UTC day: nothing is cached, and a fresh run costs twice as much.
      if (what === 'POST /api/reports') service.clock.offsetMs = 86_400_000;
      return forward;
    };
    const run = await user.call('run_report', { event_id: eventId, max_credits: 60 });
    service.clock.offsetMs = 0;
    expect(run.data).toMatchObject({ code: 'quote_expired' });
    expect(await spent(caller)).toEqual([]);
  });

  test('buys a cached report at half the price and returns its verdict at once', async () => {
    const caller = await service.newCaller(1_000);
    const user = await userOf(caller);
    const eventId = anEvent();
    await report(eventId);
    await setPrice(service.database.db, 120);
    const run = await user.call('run_report', { event_id: eventId, max_credits: 60 });
    expect(run.data).toMatchObject({ cached: true, credits_spent: 60, status: 'completed' });
    expect(run.data.report.runtime.most_likely_outcome).toMatch(/Yes|No/);
  });

  test('uses an available weekly report, as announced by check_report', async () => {
    const caller = await service.newCaller(0, { weeklyGrant: true });
    const user = await userOf(caller);
    const eventId = anEvent();
    const check = await user.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ cost_credits: 120, pool: 'weekly_grant' });
    expect(check.text).toContain('this week’s free report (worth 120 credits)');
    const run = await user.call('run_report', { event_id: eventId, max_credits: 120 });
    expect(run.data).toMatchObject({ pool: 'weekly_grant' });
    expect(await caller.balance()).toBe(0);
  });

  test('bills a subscription only within max_usd, whatever the lane and max_credits', async () => {
    const caller = await service.newCaller(1_000);
    await subscribe(service.database.db, caller.accountId);
    const user = await userOf(caller);
    const eventId = anEvent();
    const check = await user.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ lane: 'subscription', cost_credits: 0, price_usd_cents: 300 });
    expect(check.text).toContain('3.00 USD, billed to the subscription');
    expect(check.data.next_step).toContain('lane "subscription", max_credits 0 and max_usd 3.00');
    const before = await footprint(service);
    const run = (args: object) => user.call('run_report', { event_id: eventId, ...args });
    for (const [args, code] of [
      [{ max_credits: 1_000 }, 'metered_lane_unconfirmed'],
      [{ max_credits: 0, lane: 'subscription' }, 'metered_lane_unconfirmed'],
      [{ max_credits: 1_000, max_usd: 2.99 }, 'over_max_usd'],
      [{ max_credits: 0, max_usd: 2.999, lane: 'subscription' }, 'over_max_usd'],
      [{ max_credits: 1_000, max_usd: 0 }, 'over_max_usd'],
    ] as const) {
      const refused = await run(args);
      expect(refused).toMatchObject({ isError: true, data: { code, price_usd_cents: 300 } });
      expect(refused.data.next_step).toContain('max_usd 3.00');
    }
    expect(await footprint(service)).toEqual(before);
    const bought = await run({ max_credits: 0, max_usd: 3 });
    expect(bought.data).toMatchObject({ lane: 'subscription', credits_spent: 0, price_usd_cents: 300 });
    expect(bought.text).toContain('Charged: 3.00 USD, billed to the subscription (lane subscription).');
    const again = await run({ max_credits: 0 });
    expect(again.text).toContain('Charged: nothing: the account owned this report already');
    expect(await spent(caller)).toEqual([]);
  });

  test('never bills more than max_usd when the checked cached report has expired', async () => {
    const caller = await service.newCaller(1_000);
    await subscribe(service.database.db, caller.accountId);
    const user = await proxiedUserOf(caller);
    const eventId = anEvent();
    await report(eventId);
    proxy.onRequest = what => {
      // The next UTC day: nothing is cached, and a fresh run is billed at twice the price.
      if (what === 'POST /api/reports') service.clock.offsetMs = 86_400_000;
      return forward;
    };
    const before = await footprint(service);
    const run = await user.call('run_report', { event_id: eventId, max_credits: 0, max_usd: 1.5 });
    service.clock.offsetMs = 0;
    expect(run.data).toMatchObject({ code: 'quote_expired', price_usd_cents: 300 });
    expect(run.data.next_step).toContain('3.00 USD');
    expect(await footprint(service)).toEqual(before);
  });

  test('stays on the checked lane when a subscription starts in between', async () => {
    const caller = await service.newCaller(1_000);
    const user = await proxiedUserOf(caller);
    proxy.onRequest = async what => {
      if (what === 'POST /api/reports') await subscribe(service.database.db, caller.accountId);
      return forward;
    };
    const run = await user.call('run_report', { event_id: anEvent(), max_credits: 120 });
    expect(run.data).toMatchObject({ lane: 'credits', credits_spent: 120 });
  });

  test('charges once for concurrent calls, which all return the same report', async () => {
    const caller = await service.newCaller(1_000);
    const [one, other] = [await userOf(caller), await userOf(caller)];
    const args = { event_id: anEvent(), max_credits: 200 };
    const runs = await Promise.all([
      ...Array.from({ length: 5 }, () => one.call('run_report', args)),
      ...Array.from({ length: 5 }, () => other.call('run_report', args)),
    ]);
    expect(runs.filter(({ isError }) => isError)).toEqual([]);
    expect(new Set(runs.map(({ data }) => data.report_id)).size).toBe(1);
    expect(await spent(caller)).toEqual([120]);
  });

  test('retries a lost response under the same key and charges once', async () => {
    const caller = await service.newCaller(1_000);
    const user = await proxiedUserOf(caller);
    let lost = 0;
    proxy.onRequest = what => (what === 'POST /api/reports' && lost++ === 0 ? 'lose_response' : forward);
    const run = await user.call('run_report', { event_id: anEvent(), max_credits: 120 });
    expect(run.data).toMatchObject({ credits_spent: 120 });
    expect(await spent(caller)).toEqual([120]);
    const purchases = proxy.requests.filter(({ what }) => what === 'POST /api/reports');
    expect(purchases).toHaveLength(2);
    expect(new Set(purchases.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('repeats a purchase whose outcome the service does not know, and charges once', async () => {
    const caller = await service.newCaller(1_000);
    const user = await proxiedUserOf(caller);
    const problem = { type: 'x', title: 'x', status: 503, detail: 'x', code: 'unavailable', request_id: 'x' };
    const unknown = { status: 503, body: JSON.stringify({ ...problem, outcome: 'unknown' }) };
    let asked = 0;
    proxy.onRequest = what => (what === 'POST /api/reports' && asked++ === 0 ? unknown : forward);
    const run = await user.call('run_report', { event_id: anEvent(), max_credits: 120 });
    expect(run.data).toMatchObject({ credits_spent: 120 });
    expect(asked).toBe(2);
    expect(await spent(caller)).toEqual([120]);
  });

  test('returns purchase_unknown when every response is lost, and says how to find out', async () => {
    const caller = await service.newCaller(1_000);
    const user = await proxiedUserOf(caller);
    proxy.onRequest = what => (what === 'POST /api/reports' ? 'lose_response' : forward);
    const eventId = anEvent();
    const run = await user.call('run_report', { event_id: eventId, max_credits: 120 });
    expect(run.data).toMatchObject({ code: 'purchase_unknown' });
    expect(run.data.next_step).toContain('check_report');
    const check = await user.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ already_purchased: true, cost_credits: 0 });
    expect(await spent(caller)).toEqual([120]);
  });

  test('refunds a failed run and can be called again', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const caller = await service.newCaller(1_000);
    const user = await userOf(caller);
    const args = { event_id: anEvent(), max_credits: 120, wait_seconds: 50 };
    const run = await user.call('run_report', args);
    expect(run.data).toMatchObject({ status: 'failed', report: { failure: { code: 'quorum_lost' } } });
    expect(run.data.next_step).toContain('was refunded');
    expect(await caller.balance()).toBe(1_000);
    service.simulator.clearFaults();
    expect((await user.call('run_report', args)).data.status).toBe('completed');
  });
});
