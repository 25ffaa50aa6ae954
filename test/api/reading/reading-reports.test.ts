import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { reportMarkdown } from '../../../contract/report-text/report-markdown.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ stageDeadlinesMs: longDeadlines, researchDeadlineMs: 60_000 });
const caller = await service.newCaller(10_000);

afterEach(() => service.simulator.clearFaults());

async function buy(eventId: string, buyer = caller): Promise<number> {
  const { body } = await buyer.buy(eventId);
  return body.report_id;
}

const read = (id: number, headers: Record<string, string> = {}) =>
  send(`${service.url}/api/reports/${id}`, { headers: { 'x-api-key': caller.key, ...headers } });

const untilThreeAnswered = (id: number) =>
  until(
    'three have answered',
    () => read(id),
    ({ body }) => body.progress?.stage === 'opinions' && body.progress.done === 3,
  );

async function timed<T>(work: Promise<T>): Promise<{ ms: number; value: T }> {
  const begun = performance.now();
  const value = await work;
  return { value, ms: performance.now() - begun };
}

describe('a report that is running', () => {
  test('shows its progress, a Retry-After and no conclusion', async () => {
    const letGo = service.simulator.hold({ model: 'grok', stage: 'opinions' });
    const id = await buy('sample-fed-cut-2031');
    const { body, headers } = await untilThreeAnswered(id);
    const none = { action: null, probability: null, confidence: null, summary: null, completed_at: null };
    expect(body).toMatchObject({
      ...none,
      id,
      event_id: 'sample-fed-cut-2031',
      status: 'processing',
      progress: { stage: 'opinions', done: 3, of: 4 },
      failure: null,
      council_config: { requested: { models: ['grok', 'claude', 'gpt', 'gemini'] }, runtime: null },
      deliberation: null,
    });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(headers.get('etag')).toBeNull();
    letGo();
    await caller.untilEnded(id);
  });

  test.each([
    ['completed', 'sample-chess-knockout-2031'],
    ['failed', 'sample-expo-host-2031'],
  ])('shows the entry of its sale, and of its end as soon as it is %s', async (kind, eventId) => {
    if (kind === 'failed') service.simulator.setFault({}, { kind: 'http', status: 403 });
    const letGo = service.simulator.hold({});
    const buyer = await service.newCaller(1_000);
    const id = await buy(eventId, buyer);
    const show = () => buyer.get(`/api/reports/${id}`);
    const sold = await until('the sale is in the record', show, ({ body }) => body.record !== null);
    letGo();
    const ended = await until('the report has ended', show, ({ body }) => body.status === kind, 30_000);
    const entryAt = async ({ record: { seq, hash } }: any) => {
      const chain = await buyer.get(`/api/stats/track-record/chain?after=${seq - 1}&limit=1`, {
        as: 'nobody',
      });
      expect(chain.body.entries).toMatchObject([{ number: seq, hash }]);
      return chain.body.entries[0];
    };
    expect(await entryAt(sold.body)).toMatchObject({ version: 2, kind: 'sold', sale: null, payload: null });
    const end = await entryAt(ended.body);
    expect(end).toMatchObject({ version: 2, kind, sale: sold.body.record.seq });
    if (kind === 'failed') {
      expect(JSON.parse(end.payload)).toEqual({
        record: 'failure/1',
        report_id: id,
        code: ended.body.failure.code,
      });
      expect(end.opens_by).toBe(end.time);
    } else expect(end).toMatchObject({ payload: null, salt: null });
  });

  test('shows the search as a stage of the members that search, and answers a held read when one has found something', async () => {
    const letGo = service.simulator.hold({ model: 'grok', stage: 'research' });
    const id = await buy('sample-hottest-year-2031');
    const { body, headers } = await until(
      'two have searched',
      () => read(id),
      answer => answer.body.progress?.done === 2,
    );
    expect(body).toMatchObject({ status: 'processing', deliberation: null });
    expect(body.progress).toEqual({
      stage: 'research',
      done: 2,
      of: 3,
      answered: expect.arrayContaining(['claude', 'gpt']),
    });
    expect([headers.get('etag'), headers.get('retry-after')]).toEqual([null, expect.stringMatching(/^\d+$/)]);
    const held = read(id, { prefer: 'wait=30' });
    letGo();
    expect((await held).body.progress).not.toEqual(body.progress);
    await caller.untilEnded(id);
  });

  test('is held during Prefer: wait until its progress changes', async () => {
    const letGo = service.simulator.hold({ model: 'gpt', stage: 'opinions' });
    const id = await buy('sample-bitcoin-high-2031');
    const before = await untilThreeAnswered(id);
    let answered = false;
    const waiting = timed(read(id, { prefer: 'wait=30' })).finally(() => {
      answered = true;
    });
    for (let i = 0; i < 5; i++) await read(id);
    expect(answered).toBe(false);
    letGo();
    const { value, ms } = await waiting;
    expect(value.headers.get('preference-applied')).toBe('wait=30');
    expect({ status: value.body.status, ...value.body.progress }).not.toEqual({
      status: before.body.status,
      ...before.body.progress,
    });
    expect(ms).toBeLessThan(25_000);
    await caller.untilEnded(id);
  });

  test('is returned unchanged when the wait time is over', async () => {
    const letGo = service.simulator.hold({ stage: 'opinions' });
    const id = await buy('sample-calder-mayor-2031');
    await until(
      'the models are asked',
      () => read(id),
      ({ body }) => body.progress?.stage === 'opinions' && body.status === 'processing',
    );
    const { value, ms } = await timed(read(id, { prefer: 'respond-async, WAIT = 1' }));
    expect(value.body).toMatchObject({ status: 'processing', progress: { done: 0 } });
    expect(value.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(ms).toBeGreaterThanOrEqual(1_000);
    expect(ms).toBeLessThan(25_000);
    letGo();
    await caller.untilEnded(id);
  });
});

describe('Prefer: wait', () => {
  test('is applied up to 50 s, and only for a number of seconds', async () => {
    const id = await buy('sample-fed-cut-2031');
    await caller.untilEnded(id);
    const table: [asked: string, applied: string | null][] = [
      ['wait=5', 'wait=5'],
      ['wait=50', 'wait=50'],
      ['wait=51', 'wait=50'],
      ['wait=9999', 'wait=50'],
      ['wait=100000', 'wait=50'],
      ['wait="7"', 'wait=7'],
      ['handling=lenient; x=1, wait=7', 'wait=7'],
      ['wait=0', null],
      ['wait=-1', null],
      ['wait=soon', null],
      ['wait', null],
      ['await=7', null],
    ];
    for (const [asked, applied] of table) {
      const { value, ms } = await timed(read(id, { prefer: asked }));
      expect({ asked, applied: value.headers.get('preference-applied') }).toEqual({ asked, applied });
      expect(value.status).toBe(200);
      expect(ms).toBeLessThan(4_500);
    }
  });

  test('does not hold a response that cannot change: ended, unknown, or of another account', async () => {
    const stranger = await service.newCaller(1_000);
    const theirs = await buy('sample-great-quake-2031', stranger);
    for (const id of [123_456, theirs]) {
      const { value, ms } = await timed(read(id, { prefer: 'wait=30' }));
      expectProblem(value, 'not_found');
      expect(ms).toBeLessThan(25_000);
    }
    await stranger.untilEnded(theirs);
  });
});

describe('a report that has ended', () => {
  let id: number;
  let etag: string;

  beforeAll(async () => {
    id = await buy('sample-fed-cut-2031');
    await caller.untilEnded(id);
    const { headers } = await read(id);
    etag = headers.get('etag') ?? '';
  });

  test('has a constant strong ETag and no Retry-After', async () => {
    expect(etag).toMatch(/^"[^"]+"$/);
    const { headers, body } = await read(id);
    expect(headers.get('etag')).toBe(etag);
    expect(headers.get('retry-after')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await read(id)).body).toEqual(body);
  });

  test.each<[what: string, header: (tag: string) => Record<string, string>, status: number]>([
    ['known', tag => ({ 'if-none-match': tag }), 304],
    ['known, weakly', tag => ({ 'if-none-match': `W/${tag}` }), 304],
    ['one of several', tag => ({ 'if-none-match': `"other", ${tag}` }), 304],
    ['any', () => ({ 'if-none-match': '*' }), 304],
    ['known, past every cache', tag => ({ 'if-none-match': tag, 'cache-control': 'no-cache' }), 304],
    ['another', () => ({ 'if-none-match': '"other"' }), 200],
    ['nonsense', () => ({ 'if-none-match': 'nonsense' }), 200],
  ])('is sent again only where it is not known: %s', async (_what, headers, status) => {
    const answer = await read(id, headers(etag));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('etag')).toBe(etag);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    if (status === 304) expect(answer.body).toBeNull();
  });

  test('has a different ETag for an owner with a different purchase', async () => {
    const other = await service.newCaller(1_000);
    await other.buy('sample-fed-cut-2031');
    const theirs = await other.get(`/api/reports/${id}`);
    expect(theirs.body).toMatchObject({ id, cached: true });
    expect(theirs.headers.get('etag')).not.toBe(etag);
  });

  test('has an ETag and the failure when the run failed', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const failed = await buy('sample-ridge-derby-2031');
    await caller.untilEnded(failed);
    const { body, headers } = await read(failed);
    const failure = { code: 'quorum_lost', detail: expect.stringMatching(/\S/) };
    const none = { progress: null, completed_at: null, summary: null };
    expect(body).toMatchObject({ ...none, status: 'failed', failure });
    const tag = headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    expect((await read(failed, { 'if-none-match': tag })).status).toBe(304);
  });
});

test('the list of reports contains the caller’s reports, newest first, paged, filtered by status', async () => {
  const owner = await service.newCaller(10_000);
  const [{ id: keyId }] = (await owner.get('/api/keys', { as: 'session' })).body.keys;
  expect((await owner.get('/api/reports')).body).toEqual({ reports: [], page: 1, per_page: 20, total: 0 });
  const fresh = await buy('sample-exoplanet-claims-2031', owner);
  await owner.untilEnded(fresh);
  const cached = await buy('sample-fed-cut-2031', owner);

  const { body } = await owner.get('/api/reports');
  expect(body).toMatchObject({ page: 1, per_page: 20, total: 2 });
  expect(body.reports).toMatchObject([
    { id: cached, cached: true },
    {
      id: fresh,
      event_id: 'sample-exoplanet-claims-2031',
      event_title: 'Which discoveries will be announced in 2031?',
      status: 'completed',
      action: expect.stringMatching(/^(BUY_YES|BUY_NO|SKIP)$/),
      probability: expect.any(Number),
      confidence: expect.any(Number),
      lane: 'credits',
      cached: false,
      api_key_id: keyId,
    },
  ]);

  const idsOf = async (query: string) => {
    const page = (await owner.get(`/api/reports?${query}`)).body;
    return [page.total, page.reports.map((report: any) => report.id)];
  };
  expect(await idsOf('status=failed')).toEqual([0, []]);
  expect(await idsOf('page=3&per_page=1')).toEqual([2, []]);
  expect(await idsOf('status=completed&page=2&per_page=1')).toEqual([2, [fresh]]);
});

test('a report in Markdown is for a caller who prefers it, with a tag of its own, and JSON stays the default', async () => {
  const id = await buy('sample-hottest-year-2031');
  const { body: report, headers: ofJson } = await caller.untilEnded(id).then(() => read(id));
  const ask = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/reports/${id}`, { headers: { 'x-api-key': caller.key, ...headers } });
  const markdown = await ask({ accept: 'text/markdown' });
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(markdown.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
  expect(await markdown.text()).toBe(`${reportMarkdown(report)}\n`);
  const etag = markdown.headers.get('etag') ?? '';
  expect(etag).not.toBe(ofJson.get('etag'));
  expect((await ask({ accept: 'text/markdown', 'if-none-match': etag })).status).toBe(304);
  expect((await ask({ 'if-none-match': etag })).headers.get('content-type')).toMatch(/^application\/json/);
  expect((await ask({ accept: '*/*' })).headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
});
