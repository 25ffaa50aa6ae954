import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Stage } from '../../../council/deliberation/stages.js';
import { appendToStream } from '../../../db/reports/report-stream.js';
import { heldAnswersPerAccount } from '../../../purchase/limits.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { type OpenStream, openStream } from '../../support/service/read-stream.js';
import { longDeadlines, startTestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTwoServices } from '../../support/use-service.js';

const copies = createSampleEventCopies();
const options = {
  markets: copies,
  stageDeadlinesMs: longDeadlines,
  researchDeadlineMs: longDeadlines.opinions,
};
const [first, second] = await useTwoServices(options, { worker: false });
const { db, pool } = first.database;
let owner = await first.newCaller(5_000);
const open: OpenStream[] = [];
const held: (() => void)[] = [];

beforeEach(async () => {
  // An account starts five runs an hour.
  owner = await first.newCaller(1_000);
});

afterEach(async () => {
  first.simulator.clearFaults();
  for (const letGo of held.splice(0)) letGo();
  for (const stream of open.splice(0)) stream.leave();
  await until('no place is taken', async () => (await placesTaken()) === 0);
});

async function placesTaken(): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(cardinality(ends)), 0)::int as taken from held_answers',
  );
  return rows[0].taken;
}

interface Following {
  readonly key?: string;
  readonly after?: number;
  readonly of?: { readonly url: string };
}

async function follow(reportId: number, { key = owner.key, after, of = first }: Following = {}) {
  const stream = await openStream(`${of.url}/api/reports/${reportId}/events`, {
    key,
    ...(after === undefined ? {} : { after }),
  });
  open.push(stream);
  return stream;
}

/** Holds the answers of a stage back until the end of the test, or until it is let go. */
function hold(stage: Stage): () => void {
  const letGo = first.simulator.hold({ stage });
  held.push(letGo);
  return letGo;
}

async function buy(): Promise<number> {
  const { status, body } = await owner.buy(copies.retell('sample-fed-cut-2031'));
  expect({ status, body }).toMatchObject({ status: 202 });
  return body.report_id;
}

const named = ({ events }: OpenStream, name: string) => events.filter(({ event }) => event === name);
const stages = (stream: OpenStream) => named(stream, 'stage.started').map(({ data }) => data.stage);

describe('the event stream of a run', () => {
  test('tells of every stage and every answer in order, and ends with the report', async () => {
    const letGo = hold('opinions');
    const id = await buy();
    const stream = await follow(id);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    await until('the opinions have begun', () => stages(stream).includes('opinions'));
    letGo();
    await stream.ended;
    expect(stages(stream)).toEqual(['research', 'opinions', 'cross_review', 'synthesis', 'conclusion']);
    expect(stream.events.map(event => event.id)).toEqual(stream.events.map((_, index) => index + 1));
    for (const stage of ['opinions', 'cross_review'])
      expect(
        named(stream, 'member.answered')
          .filter(({ data }) => data.stage === stage)
          .map(({ data: { done, of } }) => [done, of]),
      ).toEqual([1, 2, 3, 4].map(done => [done, 4]));
    expect(stream.events.at(-1)).toEqual({
      id: stream.events.length,
      event: 'report.completed',
      data: { report_id: id, status: 'completed' },
    });
    expect(stream.text.startsWith('retry: 3000\n\n')).toBe(true);
    const report = await owner.get(`/api/reports/${id}`);
    const texts = [report.body.summary, report.body.deliberation.opinions[0].rationale];
    for (const text of texts) expect(stream.text).not.toContain(text.slice(0, 20));
    expect(stream.text).not.toMatch(/probab|distribution|rationale/);
  });

  test('is the same for who opens it late, at another process, and resumes after each of its events', async () => {
    const id = await buy();
    const live = await follow(id);
    await live.ended;
    const late = await follow(id, { of: second });
    await late.ended;
    expect(late.events).toEqual(live.events);
    for (const { id: after } of live.events.slice(0, -1)) {
      const resumed = await follow(id, { after, of: second });
      await resumed.ended;
      expect(resumed.events).toEqual(live.events.slice(after));
    }
    const afterEnd = await follow(id, { after: live.events.length });
    await afterEnd.ended;
    expect(afterEnd.events).toEqual(live.events.slice(-1));
  });

  test('tells of a member that is lost, once, and why', async () => {
    first.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 401 });
    const id = await buy();
    const stream = await follow(id);
    await stream.ended;
    expect(named(stream, 'member.lost').map(({ data }) => data)).toEqual([
      { stage: 'opinions', model: 'grok', kind: 'unauthorised' },
    ]);
    expect(stream.events.at(-1)?.event).toBe('report.completed');
  });

  test('ends with the failure of a report, without its charge', async () => {
    first.simulator.setFault({ stage: 'opinions' }, { kind: 'http', status: 401 });
    const id = await buy();
    const stream = await follow(id);
    await stream.ended;
    expect(named(stream, 'member.lost')).toHaveLength(4);
    const { body } = await owner.get(`/api/reports/${id}`);
    expect(stream.events.at(-1)?.data).toEqual({ report_id: id, status: 'failed', failure: body.failure });
  });

  test('takes nothing after the end of its report', async () => {
    const id = await buy();
    await (await follow(id)).ended;
    const event = { event: 'member.lost', stage: 'synthesis', model: 'gpt', kind: 'timed_out' } as const;
    await appendToStream(db, id, event);
    const stream = await follow(id);
    await stream.ended;
    expect(named(stream, 'member.lost')).toEqual([]);
  });
});

describe('who may follow a report', () => {
  test('its owners only, ten streams an account in all processes, and others are not held up', async () => {
    const letGo = hold('opinions');
    const id = await buy();
    const stranger = await first.newCaller(0);
    expect((await follow(id, { key: stranger.key })).status).toBe(404);
    expect((await follow(id, { key: 'pc_live_wrong' })).status).toBe(401);
    const streams = await Promise.all(
      Array.from({ length: heldAnswersPerAccount }, (_, index) =>
        follow(id, { of: index % 2 === 0 ? first : second }),
      ),
    );
    expect(streams.map(({ status }) => status)).toEqual(Array(heldAnswersPerAccount).fill(200));
    const refused = await follow(id);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('2');
    streams[0]?.leave();
    await until('a place is free', async () => (await follow(id)).status === 200);
    letGo();
  });

  test('a position that is none is refused, and the head alone holds nothing', async () => {
    const letGo = hold('opinions');
    const id = await buy();
    const url = `${first.url}/api/reports/${id}/events`;
    const headers = { 'x-api-key': owner.key };
    const wrong = await fetch(url, { headers: { ...headers, 'last-event-id': 'abc' } });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ errors: [{ parameter: 'Last-Event-ID' }] });
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    letGo();
    await (await follow(id)).ended;
  });
});

test('a process that stops ends its streams at once, and another one goes on without a gap or a repeat', async () => {
  const letGo = hold('cross_review');
  const id = await buy();
  const stopping = await startTestService({ ...options, database: first.database, worker: false });
  const before = await follow(id, { of: stopping });
  await until('the reviews have begun', () => stages(before).includes('cross_review'));
  await Promise.all([stopping.stop(), before.ended]);
  const after = await follow(id, { after: before.events.length });
  letGo();
  await after.ended;
  const whole = await follow(id);
  await whole.ended;
  expect([...before.events, ...after.events]).toEqual(whole.events);
});
