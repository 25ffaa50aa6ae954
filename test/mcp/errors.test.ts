import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { startTcpProxy } from '../support/service/tcp-proxy.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { until } from '../support/until.js';
import { useTestService } from '../support/use-service.js';
import { ToolUser } from './support/clients.js';
import { startProxy } from './support/proxy.js';

const events = createSampleEventCopies();
const temporal = await startTcpProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
const service = await useTestService({ markets: events, temporalAddress: temporal.address });
const proxy = await startProxy(service.url);
const anonymous = await ToolUser.overHttp(service.url);
let caller: TestCaller;
let user: ToolUser;

beforeEach(async () => {
  caller = await service.newCaller(1_000);
  user = await ToolUser.overHttp(service.url, { authorization: `Bearer ${caller.key}` });
});
afterAll(async () => {
  await proxy.close();
  await temporal.cut();
});

const anEvent = () => events.retell('sample-fed-cut-2031');

describe('an error', () => {
  test('has the same content as text and as fields', async () => {
    const { text, data, isError } = await user.call('get_report', { report_id: 404_404 });
    expect(isError).toBe(true);
    expect(text).toBe(`${data.code}: ${data.detail}\nNext step: ${data.next_step}`);
    expect(data.request_id).toMatch(/\S{8,}/);
  });
});

describe('a caller without a key', () => {
  test.each([
    ['search_events', { search: 'fed' }],
    ['get_event', { event_id: 'sample-fed-cut-2031' }],
    ['get_pricing', {}],
    ['get_track_record', {}],
  ])('is served by %s', async (tool, args) => {
    expect(await anonymous.call(tool, args)).toMatchObject({ isError: false });
  });

  test.each([
    ['check_report', { event_id: 'sample-fed-cut-2031' }],
    ['run_report', { event_id: 'sample-fed-cut-2031', max_credits: 1_000 }],
    ['get_report', { report_id: 1, wait_seconds: 50 }],
  ])('learns from %s how to get one', async (tool, args) => {
    const { isError, data } = await anonymous.call(tool, args);
    expect({ isError, code: data.code }).toEqual({ isError: true, code: 'unauthenticated' });
    expect(data.next_step).toMatch(/COUNCIL_API_KEY.*X-API-Key.*Authorization: Bearer/);
  });
});

describe('a failing call', () => {
  test('names each missing, invalid or unknown argument', async () => {
    const { data } = await user.call('run_report', { max_credits: 'all', lane: 'gift', budget: 3 });
    expect(data.code).toBe('invalid_request');
    expect(data.errors.map(({ parameter }: any) => parameter).sort()).toEqual(
      ['budget', 'event_id', 'lane', 'max_credits'].sort(),
    );
    expect(data.errors).toContainEqual({ parameter: 'event_id', detail: 'is required' });
  });

  test('succeeds with optional arguments set to null', async () => {
    const { isError } = await anonymous.call('search_events', { search: null, status: null, page: null });
    expect(isError).toBe(false);
  });

  test('without enough credits returns cost and balance', async () => {
    const poor = await service.newCaller(7);
    const poorUser = await ToolUser.overHttp(service.url, { 'x-api-key': poor.key });
    const check = await poorUser.call('check_report', { event_id: anEvent() });
    expect(check.data.next_step).toMatch(/^The balance of 7 credits is not enough/);
    const { data } = await poorUser.call('run_report', { event_id: anEvent(), max_credits: 1_000 });
    expect(data).toMatchObject({ code: 'insufficient_credits', cost_credits: 120, balance_credits: 7 });
    expect(data.next_step).toMatch(/costs 120 credits and they have 7.*buy credits/);
  });

  test('for a closed or unknown event points to search_events', async () => {
    const closed = await user.call('run_report', {
      event_id: 'sample-bridge-opening-2025',
      max_credits: 500,
    });
    expect(closed.data).toMatchObject({
      code: 'event_closed',
      next_step: expect.stringContaining('search_events'),
    });
    const unknown = await user.call('get_event', { event_id: 'no-such-event' });
    expect(unknown.data).toMatchObject({
      code: 'event_not_found',
      next_step: expect.stringContaining('search_events'),
    });
  });

  test('on a lane that is not set up names the missing parts', async () => {
    const { data } = await user.call('run_report', { event_id: anEvent(), max_credits: 500, lane: 'byok' });
    expect(data).toMatchObject({ code: 'lane_unavailable', lane: 'byok' });
    for (const missing of data.missing) expect(data.next_step).toContain(missing);
    expect(data.missing.length).toBeGreaterThan(0);
  });

  test('for another account’s report returns the same error as for an unknown one', async () => {
    const run = await user.call('run_report', { event_id: anEvent(), max_credits: 500, wait_seconds: 50 });
    const stranger = await service.newCaller(1_000);
    const strangers = await ToolUser.overHttp(service.url, { 'x-api-key': stranger.key });
    const [others, none] = [
      await strangers.call('get_report', { report_id: run.data.report_id }),
      await strangers.call('get_report', { report_id: 987_654_321 }),
    ];
    expect(others.data).toEqual({ ...none.data, request_id: others.data.request_id });
    expect(others.data.code).toBe('not_found');
  });

  test('while a part of the service is down says that nothing was charged, and when to retry', async () => {
    await temporal.cut();
    const { data } = await user.call('run_report', { event_id: anEvent(), max_credits: 500 });
    await temporal.restore();
    expect(data).toMatchObject({ code: 'unavailable', retry_after_seconds: expect.any(Number) });
    expect(data.next_step).toMatch(/nothing was charged\. Wait \d+ seconds/);
    expect(await caller.balance()).toBe(1_000);
  });

  test('above the run limit says how long to wait', async () => {
    for (let run = 0; run < 5; run++) {
      const event_id = anEvent();
      // On a busy machine a purchase can be "unavailable": it is not charged then and can be repeated.
      await until(
        'a run is begun',
        () => user.call('run_report', { event_id, max_credits: 500 }),
        ({ isError }) => !isError,
      );
    }
    const { data } = await user.call('run_report', { event_id: anEvent(), max_credits: 500 });
    expect(data).toMatchObject({ code: 'run_limit_exceeded', retry_after_seconds: expect.any(Number) });
    expect(data.retry_after_seconds).toBeGreaterThan(3_000);
    expect(data.next_step).toContain(`${data.retry_after_seconds} seconds`);
  });

  test('without a reachable service returns unreachable', async () => {
    const lost = await ToolUser.inProcess('http://127.0.0.1:1');
    for (const [tool, args] of [
      ['get_pricing', {}],
      ['run_report', { event_id: 'x', max_credits: 1 }],
    ] as const) {
      expect((await lost.call(tool, args)).data).toMatchObject({
        code: 'unreachable',
        next_step: expect.stringContaining('COUNCIL_BASE_URL'),
      });
    }
  });

  test.each([
    [502, '<h1>Bad gateway</h1>'],
    [200, '<h1>Welcome</h1>'],
    [200, '{"fresh_credits":"many"}'],
    [418, '{"code":"teapot","detail":"short and stout"}'],
  ])('with a foreign response %i %s returns unexpected_answer', async (status, body) => {
    proxy.onRequest = () => ({ status, body });
    const misled = await ToolUser.inProcess(proxy.url, { 'x-api-key': caller.key });
    expect((await misled.call('get_pricing')).data.code).toBe('unexpected_answer');
    expect((await misled.call('run_report', { event_id: 'x', max_credits: 1 })).data.code).toBe(
      'unexpected_answer',
    );
  });

  test('does not follow redirects with the key', async () => {
    const elsewhere = await startProxy(service.url);
    try {
      const location = `${elsewhere.url}/api/credits/pricing`;
      proxy.onRequest = () => ({ status: 302, body: '', location });
      const misled = await ToolUser.inProcess(proxy.url, { 'x-api-key': caller.key });
      expect((await misled.call('get_pricing')).data.code).toBe('unreachable');
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test('to an unknown tool names the tool', async () => {
    const { isError, text } = await user.call('buy_everything');
    expect(isError).toBe(true);
    expect(text).toContain('buy_everything');
  });
});
