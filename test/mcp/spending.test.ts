import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reconcile } from '../db/support/reconcile.js';
import { holdRuns } from '../support/hold-runs.js';
import { footprint } from '../support/machine/footprint.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { setPrice } from '../support/service/set-price.js';
import { subscribe } from '../support/service/subscribe.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { longDeadlines } from '../support/service/test-service.js';
import { useTestService } from '../support/use-service.js';
import { ToolUser } from './support/clients.js';
import { type ProxyAction, startProxy } from './support/proxy.js';

const events = createSampleEventCopies();
const forward: ProxyAction = 'forward';
const service = await useTestService({ markets: events, stageDeadlinesMs: longDeadlines });
const proxy = await startProxy(service.url);
afterAll(() => proxy.close());

let caller: TestCaller;
let user: ToolUser;
/** Its server calls the API through the proxy. */
let proxied: ToolUser;
beforeEach(async () => {
  proxy.onRequest = () => forward;
  proxy.requests.length = 0;
  await setPrice(service.database.db, 120);
  caller = await service.newCaller(1_000);
  user = await ToolUser.overHttp(service.url, { 'x-api-key': caller.key });
  proxied = await ToolUser.inProcess(proxy.url, { 'x-api-key': caller.key });
});

const anEvent = () => events.retell('sample-fed-cut-2031');

const spent = async () =>
  (await caller.ledger())
    .filter(({ kind }) => kind === 'charge')
    .map(({ amount_credits }) => -amount_credits);

describe('run_report, when reports complete', () => {
  const cachedEvent = anEvent();
  beforeAll(async () => {
    const seller = await service.newCaller(1_000);
    await seller.untilEnded((await seller.buy(cachedEvent)).body.report_id);
  });
  afterEach(() => {
    service.clock.offsetMs = 0;
    service.simulator.clearFaults();
  });

  test('buys a cached report at half the price and returns its verdict at once', async () => {
    const run = await user.call('run_report', { event_id: cachedEvent, max_credits: 60 });
    expect(run.data).toMatchObject({ cached: true, credits_spent: 60, status: 'completed' });
    expect(run.data.report.runtime.most_likely_outcome).toMatch(/Yes|No/);
  });

  test.each([
    ['max_credits', { max_credits: 60 }, { cost_credits: 120 }, '120 credits'],
    ['max_usd', { max_credits: 0, max_usd: 1.5 }, { price_usd_cents: 300 }, '3.00 USD'],
  ])('never costs more than %s when the checked cached report has expired', async (lane, max, cost, next) => {
    if (lane === 'max_usd') await subscribe(service.database.db, caller.accountId);
    proxy.onRequest = what => {
      // The next UTC day: nothing is cached, and a fresh run costs twice as much.
      if (what === 'POST /api/reports') service.clock.offsetMs = 86_400_000;
      return forward;
    };
    const before = await footprint(service);
    const run = await proxied.call('run_report', { event_id: cachedEvent, ...max });
    expect(run.data).toMatchObject({ code: 'quote_expired', ...cost });
    expect(run.data.next_step).toContain(next);
    expect(await footprint(service)).toEqual(before);
  });

  test('refunds a failed run and can be called again', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const args = { event_id: anEvent(), max_credits: 120, wait_seconds: 50 };
    const run = await user.call('run_report', args);
    expect(run.data).toMatchObject({ status: 'failed', report: { failure: { code: 'quorum_lost' } } });
    expect(run.data.next_step).toContain('was refunded');
    expect(await caller.balance()).toBe(1_000);
    service.simulator.clearFaults();
    expect((await user.call('run_report', args)).data.status).toBe('completed');
  });
});

describe('run_report, while the council is asked', () => {
  holdRuns(service);
  afterAll(async () => {
    expect(await reconcile(service.database.db)).toEqual([]);
  });

  test('buys at the checked price and returns the charge', async () => {
    const eventId = anEvent();
    const check = await user.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ cost_credits: 120, balance_credits: 1_000, price_usd_cents: 0 });
    expect(check.data.next_step).toContain('the price, 120 credits, and ask');
    const run = await user.call('run_report', { event_id: eventId, max_credits: 120 });
    expect(run.data).toMatchObject({ credits_spent: 120, cached: false, report: null });
    expect(run.text).toContain('Charged: 120 credits');
    expect(await spent()).toEqual([120]);
  });

  test('is refused free of charge above max_credits, with the cost', async () => {
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
      await setPrice(service.database.db, checked);
      proxy.onRequest = async what => {
        if (what === 'POST /api/reports') await setPrice(service.database.db, bought);
        return forward;
      };
      const run = await proxied.call('run_report', { event_id: anEvent(), max_credits: maxCredits });
      expect(await spent()).toEqual(charged);
      expect(Math.max(0, ...charged)).toBeLessThanOrEqual(maxCredits);
      if (charged.length > 0) expect(run.data.credits_spent).toBe(charged[0]);
      else if (checked <= maxCredits) {
        expect(run.data).toMatchObject({ code: 'quote_expired', cost_credits: bought });
        expect(run.data.next_step).toContain(`${bought} credits`);
      }
    },
  );

  test('uses an available weekly report, as announced by check_report', async () => {
    const member = await service.newCaller(0, { weeklyGrant: true });
    const granted = await ToolUser.overHttp(service.url, { 'x-api-key': member.key });
    const eventId = anEvent();
    const check = await granted.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ cost_credits: 120, pool: 'weekly_grant' });
    expect(check.text).toContain('this week’s free report (worth 120 credits)');
    const run = await granted.call('run_report', { event_id: eventId, max_credits: 120 });
    expect(run.data).toMatchObject({ pool: 'weekly_grant' });
    expect(await member.balance()).toBe(0);
  });

  test('bills a subscription only within max_usd, whatever the lane and max_credits', async () => {
    await subscribe(service.database.db, caller.accountId);
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
    expect(await spent()).toEqual([]);
  });

  test('stays on the checked lane when a subscription starts in between', async () => {
    proxy.onRequest = async what => {
      if (what === 'POST /api/reports') await subscribe(service.database.db, caller.accountId);
      return forward;
    };
    const run = await proxied.call('run_report', { event_id: anEvent(), max_credits: 120 });
    expect(run.data).toMatchObject({ lane: 'credits', credits_spent: 120 });
  });

  test('charges once for concurrent calls, which all return the same report', async () => {
    const other = await ToolUser.overHttp(service.url, { 'x-api-key': caller.key });
    const args = { event_id: anEvent(), max_credits: 200 };
    const runs = await Promise.all([
      ...Array.from({ length: 5 }, () => user.call('run_report', args)),
      ...Array.from({ length: 5 }, () => other.call('run_report', args)),
    ]);
    expect(runs.filter(({ isError }) => isError)).toEqual([]);
    expect(new Set(runs.map(({ data }) => data.report_id)).size).toBe(1);
    expect(await spent()).toEqual([120]);
  });

  test('retries a lost response under the same key and charges once', async () => {
    let lost = 0;
    proxy.onRequest = what => (what === 'POST /api/reports' && lost++ === 0 ? 'lose_response' : forward);
    const run = await proxied.call('run_report', { event_id: anEvent(), max_credits: 120 });
    expect(run.data).toMatchObject({ credits_spent: 120 });
    expect(await spent()).toEqual([120]);
    const purchases = proxy.requests.filter(({ what }) => what === 'POST /api/reports');
    expect(purchases).toHaveLength(2);
    expect(new Set(purchases.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('repeats a purchase whose outcome the service does not know, and charges once', async () => {
    const problem = { type: 'x', title: 'x', status: 503, detail: 'x', code: 'unavailable', request_id: 'x' };
    const unknown = { status: 503, body: JSON.stringify({ ...problem, outcome: 'unknown' }) };
    let asked = 0;
    proxy.onRequest = what => (what === 'POST /api/reports' && asked++ === 0 ? unknown : forward);
    const run = await proxied.call('run_report', { event_id: anEvent(), max_credits: 120 });
    expect(run.data).toMatchObject({ credits_spent: 120 });
    expect(asked).toBe(2);
    expect(await spent()).toEqual([120]);
  });

  test('returns purchase_unknown when every response is lost, and says how to find out', async () => {
    proxy.onRequest = what => (what === 'POST /api/reports' ? 'lose_response' : forward);
    const eventId = anEvent();
    const run = await proxied.call('run_report', { event_id: eventId, max_credits: 120 });
    expect(run.data).toMatchObject({ code: 'purchase_unknown' });
    expect(run.data.next_step).toContain('check_report');
    const check = await proxied.call('check_report', { event_id: eventId });
    expect(check.data).toMatchObject({ already_purchased: true, cost_credits: 0 });
    expect(await spent()).toEqual([120]);
  });
});
