import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { batchEventsSince, lastBatchEvent } from '../../../api/present/batch-events.js';
import { beginning, readPosition, writePosition } from '../../../api/present/batch-position.js';
import { type BatchEventView, batchStreamHeader } from '../../../contract/batches/batch-stream.js';
import type { BatchStreamRow, StreamedRow } from '../../../db/batches/batch-stream.js';

const batchId = '7b0f2a64-55d1-4c7e-9a43-2f1f0c9f6e10';

function waiting(position: number): StreamedRow {
  return {
    position,
    eventId: `event-${position}`,
    state: 'waiting',
    reportId: null,
    decidedAtMs: null,
    endedAtMs: null,
  };
}

function batchOf(rows: number): BatchStreamRow {
  return {
    batchId,
    name: null,
    status: 'running',
    pausedReason: null,
    rows: Array.from({ length: rows }, (_, index) => waiting(index + 1)),
  };
}

/** A moment of a batch's life: what is done to which row, or to the batch. */
interface Step {
  readonly row: number;
  readonly does: 'buy' | 'refuse' | 'end' | 'pause' | 'resume';
  /** How late its transaction is committed, in milliseconds: rows do not become visible in the order of their times. */
  readonly lateMs: number;
}

function after(batch: BatchStreamRow, { row, does, lateMs }: Step, nowMs: number): BatchStreamRow {
  const at = nowMs - lateMs;
  const change = (changed: (row: StreamedRow) => StreamedRow) => ({
    ...batch,
    rows: batch.rows.map(each => (each.position === row ? changed(each) : each)),
  });
  const { state } = batch.rows[row - 1] ?? waiting(row);
  if (does === 'pause') return { ...batch, status: 'paused', pausedReason: 'asked' };
  if (does === 'resume') return { ...batch, status: 'running', pausedReason: null };
  if (does === 'end' && state === 'running')
    return change(each => ({ ...each, state: row % 2 === 0 ? 'completed' : 'failed', endedAtMs: at }));
  if (state !== 'waiting' || batch.status === 'paused') return batch;
  if (does === 'buy')
    return change(each => ({ ...each, state: 'running', reportId: row + 100, decidedAtMs: at }));
  if (does === 'refuse') return change(each => ({ ...each, state: 'refused', decidedAtMs: at }));
  return batch;
}

const rowsMax = 20;
const step = fc.record({
  row: fc.integer({ min: 1, max: rowsMax }),
  does: fc.constantFrom('buy', 'buy', 'refuse', 'end', 'end', 'pause', 'resume'),
  lateMs: fc.integer({ min: 0, max: 50 }),
});

const keyOf = ({ event, data }: BatchEventView) => ('event_id' in data ? `${event} ${data.event_id}` : event);

/** All ends of rows that have ended, and the starts of those that were bought. */
function expectedKeys({ rows }: BatchStreamRow): string[] {
  return rows.flatMap(({ eventId, state, reportId }) => [
    ...(reportId === null ? [] : [`row.started ${eventId}`]),
    ...(state === 'waiting' || state === 'running' ? [] : [`row.ended ${eventId}`]),
  ]);
}

describe('the events of a batch', () => {
  test('reach a reader that leaves after any of them once each, whatever is committed in which order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ step, reads: fc.boolean(), takes: fc.nat({ max: 4 }) }), { maxLength: 120 }),
        moments => {
          let batch = batchOf(rowsMax);
          let known = beginning;
          const got: BatchEventView[] = [];
          moments.forEach(({ step: next, reads, takes }, index) => {
            batch = after(batch, next, 1_000_000 + index);
            if (!reads) return;
            // The connection breaks after some of the events, and the next one goes on after the last.
            const taken = batchEventsSince(known, batch).events.slice(0, takes);
            const last = taken.at(-1);
            if (last === undefined) return;
            got.push(...taken);
            known = readPosition(last.id);
          });
          got.push(...batchEventsSince(known, batch).events);
          const ofRows = got.filter(({ event }) => event.startsWith('row.')).map(keyOf);
          expect([...ofRows].sort()).toEqual(expectedKeys(batch).sort());
          for (const { eventId } of batch.rows) {
            const [start, end] = [`row.started ${eventId}`, `row.ended ${eventId}`].map(key =>
              ofRows.indexOf(key),
            );
            if (start !== -1 && end !== -1) expect(start).toBeLessThan(end ?? 0);
          }
        },
      ),
    );
  });

  test('have ids that the API takes, and that say what was sent', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.integer({ min: 1, max: 500 }), fc.constantFrom('started' as const, 'ended' as const)),
        ),
        fc.constantFrom(
          null,
          'ended' as const,
          'budget' as const,
          'balance' as const,
          'house_limit' as const,
        ),
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        (rows, batch, decidedAtMs) => {
          const position = { decidedAtMs, batch, rows: new Map(rows) };
          const id = writePosition(position);
          expect(batchStreamHeader.safeParse({ 'Last-Event-ID': id }).success).toBe(true);
          const read = readPosition(id);
          expect(read).toEqual(position);
        },
      ),
    );
  });

  test('of one pause come once, and of the next pause again once a row was bought in between', () => {
    const pausedBatch = { ...batchOf(3), status: 'paused', pausedReason: 'budget' } as const;
    const first = batchEventsSince(beginning, pausedBatch);
    expect(first.events.map(({ event }) => event)).toEqual(['batch.paused']);
    expect(batchEventsSince(first.known, pausedBatch).events).toEqual([]);
    const bought = after(batchOf(3), { row: 1, does: 'buy', lateMs: 0 }, 5);
    const again = batchEventsSince(first.known, { ...pausedBatch, rows: bought.rows });
    expect(again.events.map(({ event }) => event)).toEqual(['row.started', 'batch.paused']);
    const [started] = again.events;
    const resumed = batchEventsSince(readPosition(started?.id ?? ''), { ...pausedBatch, rows: bought.rows });
    expect(resumed.events).toEqual(again.events.slice(1));
  });

  test('of a row that is tried again come again, and the batch ends again', () => {
    const refused = after(batchOf(1), { row: 1, does: 'refuse', lateMs: 0 }, 10);
    const first = batchEventsSince(beginning, { ...refused, status: 'completed' });
    expect(first.events.map(({ event }) => event)).toEqual(['row.ended', 'batch.completed']);
    const again = after(batchOf(1), { row: 1, does: 'refuse', lateMs: 0 }, 20);
    const second = batchEventsSince(first.known, { ...again, status: 'completed' });
    expect(second.events.map(({ event }) => event)).toEqual(['row.ended', 'batch.completed']);
  });

  test('of a cancelled batch end once its last row has ended, and the end can be sent again', () => {
    const running = after(batchOf(2), { row: 1, does: 'buy', lateMs: 0 }, 10);
    const first = batchEventsSince(beginning, { ...running, status: 'cancelled' });
    expect(first.events.map(({ event }) => event)).toEqual(['row.started']);
    const ended = { ...after(running, { row: 1, does: 'end', lateMs: 0 }, 20), status: 'cancelled' } as const;
    const second = batchEventsSince(first.known, ended);
    expect(second.events.map(({ event }) => event)).toEqual(['row.ended', 'batch.cancelled']);
    expect(batchEventsSince(second.known, ended).events).toEqual([]);
    expect(lastBatchEvent(second.known, ended)).toEqual(second.events.at(-1));
  });
});
