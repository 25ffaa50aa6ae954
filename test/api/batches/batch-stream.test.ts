import { afterEach, describe, expect, test } from '@jest/globals';
import { batchEvents } from '../../../contract/batches/batch-stream.js';
import { readBatch } from '../../../db/batches/batches.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { type OpenStream, openStream, type StreamedEvent } from '../../support/service/read-stream.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTwoServices } from '../../support/use-service.js';
import { startBatch, untilHeld } from '../../workflows/support/batches.js';

const copies = createSampleEventCopies();
const [first, second] = await useTwoServices(
  { markets: copies, stageDeadlinesMs: longDeadlines },
  { worker: false },
);
const { db } = first.database;
const open: OpenStream[] = [];

afterEach(() => {
  first.simulator.clearFaults();
  for (const stream of open.splice(0)) stream.leave();
});

const newEvents = (count: number) =>
  Array.from({ length: count }, () => copies.retell('sample-fed-cut-2031'));

async function follow(
  { key }: TestCaller,
  id: string,
  { after, of = first }: { readonly after?: string; readonly of?: { readonly url: string } } = {},
) {
  const stream = await openStream(`${of.url}/api/batches/${id}/events`, {
    key,
    ...(after === undefined ? {} : { after }),
  });
  open.push(stream);
  return stream;
}

const times = (count: number, name: string) => Array.from({ length: count }, () => name);
const namesOf = (events: readonly StreamedEvent[]) => events.map(({ event }) => event);
const keysOf = (events: readonly StreamedEvent[]) =>
  events.map(({ event, data }) => `${event} ${data.event_id ?? data.status}`).sort();

describe('the event stream of a batch', () => {
  test('tells of the start and the end of each row once, then of the end of the batch', async () => {
    const owner = await first.newCaller(100_000);
    const eventIds = [...newEvents(3), 'no-such-event'];
    const id = await startBatch(first, owner, { eventIds });
    const stream = await follow(owner, id);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    await stream.ended;
    expect(stream.text.startsWith('retry: 3000\n\n')).toBe(true);
    const bought = eventIds.slice(0, 3);
    expect(keysOf(stream.events)).toEqual(
      [
        ...bought.flatMap(eventId => [`row.started ${eventId}`, `row.ended ${eventId}`]),
        'row.ended no-such-event',
        'batch.completed completed',
      ].sort(),
    );
    expect(namesOf(stream.events).at(-1)).toBe('batch.completed');
    const schemas = new Map(Object.entries(batchEvents));
    for (const { event, data } of stream.events)
      expect(schemas.get(event)?.strict().parse(data)).toEqual(data);
    const { body } = await owner.get('/api/reports?per_page=100');
    const ends = stream.events.filter(({ event, data }) => event === 'row.ended' && data.report_id !== null);
    expect(ends.map(({ data }) => String(data.report_id)).sort()).toEqual(
      body.reports.map((report: any) => String(report.id)).sort(),
    );
  });

  test('goes on after each of its events at another process, without a gap or a repeat', async () => {
    const owner = await first.newCaller(100_000);
    const id = await startBatch(first, owner, {
      eventIds: [...newEvents(4), 'no-such-event'],
      maxInFlight: 2,
    });
    const live = await follow(owner, id);
    await live.ended;
    const late = await follow(owner, id, { of: second });
    await late.ended;
    expect(keysOf(late.events)).toEqual(keysOf(live.events));
    for (const [index, { id: after }] of live.events.slice(0, -1).entries()) {
      const resumed = await follow(owner, id, { after, of: second });
      await resumed.ended;
      expect(keysOf([...live.events.slice(0, index + 1), ...resumed.events])).toEqual(keysOf(live.events));
    }
    const afterEnd = await follow(owner, id, { after: live.events.at(-1)?.id });
    await afterEnd.ended;
    expect(afterEnd.events).toEqual(live.events.slice(-1));
  });

  test('tells of a pause, waits, and goes on with the batch, also for a reader that comes back', async () => {
    const owner = await first.newCaller(100_000);
    const letGo = first.simulator.hold({ stage: 'opinions' });
    const id = await startBatch(first, owner, { eventIds: newEvents(3), maxInFlight: 1 });
    const stream = await follow(owner, id);
    await until('a row has started', () => stream.events.length > 0);
    await first.batchRuns.change(await readBatch(db, id), { status: 'paused' });
    await until('the pause was sent', () => namesOf(stream.events).includes('batch.paused'));
    expect(stream.events.at(-1)?.data).toEqual({
      batch_id: id,
      name: null,
      status: 'paused',
      paused_reason: 'asked',
    });
    letGo();
    await until('the row has ended', () => namesOf(stream.events).includes('row.ended'));
    stream.leave();
    await first.batchRuns.change(await readBatch(db, id), { status: 'running' });
    const rest = await follow(owner, id, { after: stream.events.at(-1)?.id, of: second });
    await rest.ended;
    const names = namesOf([...stream.events, ...rest.events]);
    expect([...names].sort()).toEqual([
      'batch.completed',
      'batch.paused',
      ...times(3, 'row.ended'),
      ...times(3, 'row.started'),
    ]);
    expect(names.at(-1)).toBe('batch.completed');
  });

  test('tells again of rows that are tried again', async () => {
    const owner = await first.newCaller(100_000);
    first.simulator.setFault({ stage: 'opinions' }, { kind: 'http', status: 401 });
    const id = await startBatch(first, owner, { eventIds: newEvents(1) });
    const failed = await follow(owner, id);
    await failed.ended;
    expect(failed.events.map(({ data }) => data.status)).toEqual(['running', 'failed', 'completed']);
    first.simulator.clearFaults();
    await first.batchRuns.change(await readBatch(db, id), { retry: true });
    const again = await follow(owner, id, { after: failed.events.at(-1)?.id });
    await again.ended;
    expect(again.events.map(({ data }) => data.status)).toEqual(['running', 'completed', 'completed']);
  });

  test('of a cancelled batch ends once nothing of it runs', async () => {
    const owner = await first.newCaller(100_000);
    const letGo = first.simulator.hold({ stage: 'opinions' });
    const id = await startBatch(first, owner, { eventIds: newEvents(3), maxInFlight: 1 });
    await until('a row runs', async () => (await readBatch(db, id)).rows.running === 1);
    await first.batchRuns.change(await readBatch(db, id), { status: 'cancelled' });
    const stream = await follow(owner, id);
    await until('the start was sent', () => stream.events.length > 0);
    letGo();
    await stream.ended;
    expect(namesOf(stream.events)).toEqual(['row.started', 'row.ended', 'batch.cancelled']);
    expect((await untilHeld(first, id)).rows.waiting).toBe(2);
  });
});

describe('who may follow a batch', () => {
  test('its owner only; an id that is none is refused, and the head alone holds nothing', async () => {
    const owner = await first.newCaller(100_000);
    const stranger = await first.newCaller();
    const id = await startBatch(first, owner, { eventIds: ['no-such-event'] });
    await untilHeld(first, id);
    expect((await follow(stranger, id)).status).toBe(404);
    const url = `${first.url}/api/batches/${id}/events`;
    const headers = { 'x-api-key': owner.key };
    const wrong = await fetch(url, { headers: { ...headers, 'last-event-id': '7' } });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ errors: [{ parameter: 'Last-Event-ID' }] });
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });
});
