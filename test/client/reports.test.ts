import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { CouncilReports } from '../../client/council-reports.js';
import type { ReportProgress } from '../../client/wait-for-report.js';
import { heldAnswersPerAccount } from '../../purchase/limits.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { openStream } from '../support/service/read-stream.js';
import { startTcpProxy } from '../support/service/tcp-proxy.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { longDeadlines } from '../support/service/test-service.js';
import { until } from '../support/until.js';
import { useTestService } from '../support/use-service.js';

const copies = createSampleEventCopies();
const service = await useTestService({ markets: copies, stageDeadlinesMs: longDeadlines });
const proxy = await startTcpProxy(new URL(service.url).host);
afterAll(() => proxy.cut());
const held: (() => void)[] = [];

afterEach(() => {
  service.simulator.clearFaults();
  for (const letGo of held.splice(0)) letGo();
});

function hold(stage: 'opinions' | 'cross_review'): () => void {
  const letGo = service.simulator.hold({ stage });
  held.push(letGo);
  return letGo;
}

const newEvent = () => copies.retell('sample-fed-cut-2031');
const newOwner = () => service.newCaller(1_000);
const clientOf = (
  { key }: TestCaller,
  options: Partial<ConstructorParameters<typeof CouncilReports>[0]> = {},
) => new CouncilReports({ apiKey: key, baseUrl: service.url, ...options });

/** How often an account was charged. */
async function charges(owner: TestCaller): Promise<number> {
  const { entries } = await clientOf(owner).request('GET /api/credits/ledger');
  return entries.filter(({ kind }) => kind === 'charge').length;
}

describe('runAndWait', () => {
  test('buys within the limit, tells each stage once, and returns the completed report', async () => {
    const owner = await newOwner();
    const seen: ReportProgress[] = [];
    const report = await clientOf(owner).reports.runAndWait({
      eventId: newEvent(),
      lane: 'credits',
      maxCredits: 500,
      onProgress: progress => void seen.push(progress),
    });
    expect(report).toMatchObject({ status: 'completed', failure: null });
    expect(report.council_config.runtime.models).toHaveLength(4);
    const stages = seen.filter(({ done }) => done === 0).map(({ stage }) => stage);
    expect(stages).toEqual([...new Set(stages)]);
    expect(stages).toEqual(expect.arrayContaining(['opinions', 'cross_review', 'synthesis', 'conclusion']));
    expect(seen.findLast(({ stage }) => stage === 'opinions')).toMatchObject({ done: 4, of: 4 });
    expect(await charges(owner)).toBe(1);
  });

  test.each([
    ['maxCredits', { maxCredits: 1 }, 'over_max_credits'],
    ['maxCredits that is no number', { maxCredits: Number('many') }, 'over_max_credits'],
    ['only maxUsd', { maxUsd: 100 }, 'over_max_credits'],
    ['maxUsd that is no number', { maxUsd: Number('many') }, 'over_max_credits'],
  ])('refuses a price above %s before buying', async (_, limit, code) => {
    const owner = await newOwner();
    const bought = clientOf(owner).reports.runAndWait({ eventId: newEvent(), ...limit });
    await expect(bought).rejects.toMatchObject({ name: 'CouncilProblem', code, reportId: null });
    await expect(bought).rejects.toMatchObject({ cost_credits: expect.any(Number), lane: 'credits' });
    expect(await charges(owner)).toBe(0);
  });

  test('throws what the API says, with its fields', async () => {
    const poor = await service.newCaller(1);
    await expect(clientOf(poor).reports.runAndWait({ eventId: newEvent() })).rejects.toMatchObject({
      code: 'insufficient_credits',
      status: 402,
      balance_credits: 1,
      retryAfterSeconds: null,
      reportId: null,
    });
  });

  test('throws for a run that failed, and names the report', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const owner = await newOwner();
    await expect(clientOf(owner).reports.runAndWait({ eventId: newEvent() })).rejects.toMatchObject({
      code: 'report_failed',
      reportId: expect.any(Number),
    });
  });

  test('ends at once when it is aborted, with the reason; the run goes on and can be waited for', async () => {
    const letGo = hold('opinions');
    const { reports } = clientOf(await newOwner());
    const leaving = new AbortController();
    const seen: ReportProgress[] = [];
    const onProgress = (progress: ReportProgress) => void seen.push(progress);
    const running = reports.runAndWait({ eventId: newEvent(), signal: leaving.signal, onProgress });
    running.catch(() => undefined);
    await until('the first stage', () => seen.length);
    leaving.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    const [mine] = (await reports.list()).reports;
    expect(mine).toMatchObject({ status: 'processing' });
    await expect(reports.wait(mine?.id ?? 0, { timeoutSeconds: 0 })).resolves.toMatchObject({
      status: 'processing',
    });
    letGo();
    await expect(reports.wait(mine?.id ?? 0)).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('a purchase whose response is lost', () => {
  test('is sent once more under the same key, and charged once', async () => {
    const owner = await newOwner();
    const { reports } = clientOf(owner, { baseUrl: `http://${proxy.address}` });
    proxy.breakOnce({ after: 'POST /api/reports', request: 'POST /api/reports', lost: 'response' });
    const { report_id } = await reports.buy({ event_id: newEvent() });
    await expect(reports.wait(report_id)).resolves.toMatchObject({ status: 'completed' });
    expect(await charges(owner)).toBe(1);
  });
});

describe('following a run', () => {
  test('goes on without a gap or a repeat after its connection was cut', async () => {
    const letGo = hold('opinions');
    const { reports } = clientOf(await newOwner(), { baseUrl: `http://${proxy.address}` });
    const { report_id } = await reports.buy({ event_id: newEvent() });
    const ids: number[] = [];
    const connections: boolean[] = [];
    const reading = (async () => {
      const onConnection = (isOpen: boolean) => void connections.push(isOpen);
      for await (const { id } of reports.events(report_id, { onConnection })) ids.push(id);
    })();
    await until('the first event', () => ids.length);
    await proxy.cut();
    await proxy.restore();
    letGo();
    await reading;
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect(connections).toEqual([true, false, true, false]);
  });

  test('begins after the event that the caller has', async () => {
    const { reports } = clientOf(await newOwner());
    const { id } = await reports.runAndWait({ eventId: newEvent() });
    const names: string[] = [];
    for await (const { id: position, event } of reports.events(id, { lastEventId: 2 })) {
      names.push(`${position} ${event}`);
    }
    expect(names[0]).toMatch(/^3 /);
    expect(names.at(-1)).toMatch(/ report\.completed$/);
  });

  test('of another account is refused like a report that does not exist', async () => {
    const { reports } = clientOf(await newOwner());
    const { report_id } = await reports.buy({ event_id: newEvent() });
    const others = clientOf(await newOwner()).reports;
    await expect(others.events(report_id).next()).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  test('reads the report instead where the account holds as many responses as it can', async () => {
    const letGo = hold('opinions');
    const owner = await newOwner();
    const { reports } = clientOf(owner);
    const { report_id } = await reports.buy({ event_id: newEvent() });
    const url = `${service.url}/api/reports/${report_id}/events`;
    const places = await Promise.all(
      Array.from({ length: heldAnswersPerAccount }, () => openStream(url, { key: owner.key })),
    );
    const seen: ReportProgress[] = [];
    const waiting = reports.wait(report_id, { onProgress: progress => void seen.push(progress) });
    await until('the stage is seen', () => seen.length);
    letGo();
    await expect(waiting).resolves.toMatchObject({ status: 'completed' });
    for (const place of places) place.leave();
  });

  test('reads the report instead where there is no stream', async () => {
    const withoutStream: typeof fetch = (input, init) =>
      typeof input === 'string' && input.endsWith('/events')
        ? Promise.resolve(Response.json({ code: 'not_found', detail: 'no', status: 404 }, { status: 404 }))
        : fetch(input, init);
    const { reports } = clientOf(await newOwner(), { fetch: withoutStream });
    const seen: ReportProgress[] = [];
    const onProgress = (progress: ReportProgress) => void seen.push(progress);
    await expect(reports.runAndWait({ eventId: newEvent(), onProgress })).resolves.toMatchObject({
      status: 'completed',
    });
    expect(seen).not.toEqual([]);
  });
});
