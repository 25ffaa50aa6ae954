import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { longDeadlines } from '../support/service/test-service.js';
import { until } from '../support/until.js';
import { useTestService } from '../support/use-service.js';
import { ToolUser } from './support/clients.js';
import { startProxy } from './support/proxy.js';

const events = createSampleEventCopies();
let mayConclude = true;
const service = await useTestService({
  markets: events,
  stageDeadlinesMs: longDeadlines,
  around: real => ({
    ...real,
    concludeReport: async run => {
      await until('the report may be concluded', () => mayConclude);
      return real.concludeReport(run);
    },
  }),
});
const proxy = await startProxy(service.url);
afterAll(() => proxy.close());

let caller: TestCaller;
let user: ToolUser;
let release: () => void = () => undefined;
const holdModels = () => {
  release = service.simulator.hold({});
};
beforeEach(async () => {
  // A new account for each test, because of the limit of five runs an hour.
  caller = await service.newCaller(1_000);
  user = await ToolUser.overHttp(service.url, { 'x-api-key': caller.key });
});
afterEach(() => {
  mayConclude = true;
  release();
  service.simulator.clearFaults();
});

const anEvent = () => events.retell('sample-fed-cut-2031');

describe('a slow report', () => {
  test('returns its id at once without a wait, then reads as running, and a waiting client learns the present stage', async () => {
    holdModels();
    const run = await user.call('run_report', { event_id: anEvent(), max_credits: 500 });
    const { report_id } = run.data;
    expect(run.data).toMatchObject({ status: 'pending', report: null });
    expect(run.data.next_step).toContain(`get_report with report_id ${report_id} and wait_seconds 50`);
    const read = await until(
      'the council is asked',
      () => user.call('get_report', { report_id }),
      ({ data }) => data.status === 'processing',
    );
    expect(read.data).toMatchObject({ runtime: null, action: null, progress: { of: expect.any(Number) } });
    expect(read.data.next_step).toMatch(/^Still running/);
    const received: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => {
      received.push(progress);
      release();
    };
    await user.call('get_report', { report_id, wait_seconds: 50 }, { onprogress });
    expect(received[0]).toBe(1);
  });

  test('returns unfinished after wait_seconds, and not earlier', async () => {
    holdModels();
    const received: number[] = [];
    const begun = Date.now();
    const run = await user.call(
      'run_report',
      { event_id: anEvent(), max_credits: 500, wait_seconds: 2 },
      { onprogress: ({ progress }) => received.push(progress) },
    );
    const took = Date.now() - begun;
    expect(['pending', 'processing']).toContain(run.data.status);
    expect(run.data.report.progress).toMatchObject({ stage: 'opinions', done: 0 });
    expect(took).toBeGreaterThan(1_000);
    expect(took).toBeLessThan(20_000);
    // It was read more than once without progress. Members do not search here, so the first of four stages is over.
    expect(received).toEqual([1]);
  });

  test('is awaited within wait_seconds, with increasing progress, and returned with its verdict', async () => {
    // Slow enough to observe every stage on a busy machine.
    service.simulator.setFault({}, { kind: 'latency', ms: 2_500 });
    const received: { progress: number; total?: number; message?: string }[] = [];
    const run = await user.call(
      'run_report',
      { event_id: anEvent(), max_credits: 500, wait_seconds: 50 },
      { onprogress: progress => received.push(progress) },
    );
    expect(run.data).toMatchObject({ status: 'completed', report: { status: 'completed' } });
    expect(run.data.report.runtime.market_probabilities).toEqual({
      Yes: expect.any(Number),
      No: expect.any(Number),
    });
    const steps = received.map(({ progress }) => progress);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
    expect(received.at(-1)).toEqual({ progress: 4, total: 4, message: 'completed' });
    expect(received.map(({ message }) => message).join()).toMatch(/opinions: \d of 4 models/);
  });

  test('is not reported as done before its verdict is stored', async () => {
    mayConclude = false;
    const { data } = await user.call('run_report', { event_id: anEvent(), max_credits: 500 });
    const received: { progress: number; message?: string }[] = [];
    const read = (seconds: number) =>
      user.call(
        'get_report',
        { report_id: data.report_id, wait_seconds: seconds },
        { onprogress: progress => received.push(progress) },
      );
    await until(
      'all have answered',
      () => read(0),
      result => result.data.progress?.stage === 'synthesis' && result.data.progress.done === 1,
    );
    received.length = 0;
    await read(1);
    expect(received.length).toBeGreaterThan(1);
    expect(received.filter(({ progress }) => progress >= 4)).toEqual([]);
    mayConclude = true;
    await read(50);
    expect(received.at(-1)).toEqual({ progress: 4, total: 4, message: 'completed' });
  });

  test('is found again after a client timeout: the same report, charged once', async () => {
    holdModels();
    const eventId = anEvent();
    const args = { event_id: eventId, max_credits: 500, wait_seconds: 50 };
    // A client that times out, as most do after 60 seconds; this one only sooner.
    await expect(user.call('run_report', args, { timeout: 600 })).rejects.toThrow(/timed out/i);
    const check = await until(
      'what was asked for is there',
      () => user.call('check_report', { event_id: eventId }),
      ({ data }) => data.already_purchased,
    );
    expect(check.data).toMatchObject({ cost_credits: 0 });
    const again = await user.call('run_report', { ...args, wait_seconds: 0 });
    release();
    expect(again.data).toMatchObject({ report_id: check.data.report_id, credits_spent: 0 });
    const read = await user.call('get_report', { report_id: check.data.report_id, wait_seconds: 50 });
    expect(read.data.status).toBe('completed');
    expect((await caller.ledger()).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });

  test('is confirmed as bought even if it cannot be read', async () => {
    const proxied = await ToolUser.inProcess(proxy.url, { 'x-api-key': caller.key });
    proxy.onRequest = what =>
      what.startsWith('GET /api/reports/check') || what.startsWith('POST')
        ? 'forward'
        : { status: 502, body: '<h1>Bad gateway</h1>' };
    const args = { event_id: anEvent(), max_credits: 500, wait_seconds: 50 };
    const run = await proxied.call('run_report', args);
    expect(run.isError).toBe(false);
    expect(run.data).toMatchObject({ report_id: expect.any(Number), cached: false, report: null });
    expect(run.data.next_step).toContain('get_report');
  });

  test('refuses an invalid wait_seconds, and buys nothing', async () => {
    for (const wait of [51, -1, 1.5, '50'])
      for (const [tool, args] of [
        ['get_report', { report_id: 1, wait_seconds: wait }],
        ['run_report', { event_id: anEvent(), max_credits: 500, wait_seconds: wait }],
      ] as const) {
        const { data } = await user.call(tool, args);
        expect(data).toMatchObject({ code: 'invalid_request', errors: [{ parameter: 'wait_seconds' }] });
      }
    expect(await caller.ledger()).toHaveLength(1);
  });
});
