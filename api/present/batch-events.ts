import type { BatchEventView } from '../../contract/batches/batch-stream.js';
import type { BatchStreamRow, StreamedRow } from '../../db/batches/batch-stream.js';
import { type BatchPosition, type KnownBatch, writePosition } from './batch-position.js';

interface Unread {
  readonly events: readonly BatchEventView[];
  /** What the reader knows once it has them. */
  readonly known: BatchPosition;
}

/**
 * What a reader has not seen of a batch: the difference between what it knows and what is. Nothing else says what happened,
 * so no event is lost or sent twice, whichever process sends it and however late a transaction is committed.
 */
export function batchEventsSince(before: BatchPosition, batch: BatchStreamRow): Unread {
  const rows = new Map(before.rows);
  for (const row of batch.rows) if (isForgotten(row, before)) rows.delete(row.position);
  const steps = batch.rows.flatMap(row => stepsOf(row, rows.get(row.position))).sort(inOrder);
  let known: BatchPosition = { ...before, batch: stillKnown(before.batch, batch), rows };
  const events: BatchEventView[] = [];
  for (const step of steps) {
    rows.set(step.row.position, step.name === 'row.started' ? 'started' : 'ended');
    known = { ...known, batch: afterStep(known.batch, step), decidedAtMs: newest(known, step.row) };
    events.push(rowEvent(step, writePosition(known)));
  }
  const last = stateEvent(batch);
  if (last !== null && last.known !== known.batch) {
    known = { ...known, batch: last.known };
    events.push({ ...last.event, id: writePosition(known) });
  }
  return { events, known };
}

/** The last event of a batch that has ended, for a reader who has it already; null while it has not ended. */
export function lastBatchEvent(known: BatchPosition, batch: BatchStreamRow): BatchEventView | null {
  const last = stateEvent(batch);
  return last?.known === 'ended' ? { ...last.event, id: writePosition(known) } : null;
}

/** What was known of a row that is tried again says nothing of the next try. */
function isForgotten({ state, decidedAtMs }: StreamedRow, { decidedAtMs: known }: BatchPosition): boolean {
  return state === 'waiting' || (decidedAtMs ?? 0) > known;
}

interface Step {
  readonly name: 'row.started' | 'row.ended';
  readonly row: StreamedRow;
  readonly atMs: number;
}

function stepsOf(row: StreamedRow, known: 'started' | 'ended' | undefined): Step[] {
  const { state, reportId, decidedAtMs, endedAtMs } = row;
  if (state === 'waiting' || known === 'ended') return [];
  const startedAtMs = decidedAtMs ?? 0;
  const started = { name: 'row.started', row, atMs: startedAtMs } as const;
  // The report of a cached row ended before the row was bought.
  const ended = { name: 'row.ended', row, atMs: Math.max(startedAtMs, endedAtMs ?? 0) } as const;
  return [
    ...(known === undefined && reportId !== null ? [started] : []),
    ...(state === 'running' ? [] : [ended]),
  ];
}

/** By time, so that who reads an ended batch sees it as it went. A sort keeps the start of a row before its end. */
function inOrder(a: Step, b: Step): number {
  return a.atMs - b.atMs || a.row.position - b.row.position;
}

function rowEvent({ name, row: { eventId, state, reportId } }: Step, id: string): BatchEventView {
  if (name === 'row.started' && reportId !== null)
    return { id, event: name, data: { event_id: eventId, status: 'running', report_id: reportId } };
  if (state === 'waiting' || state === 'running') throw new Error('a row that has not ended has no end');
  return { id, event: 'row.ended', data: { event_id: eventId, status: state, report_id: reportId } };
}

/** A pause or an end that is over is forgotten, so that the next one is sent. */
function stillKnown(known: KnownBatch, { status }: BatchStreamRow): KnownBatch {
  return status === 'running' || (known === 'ended') !== (status !== 'paused') ? null : known;
}

type WithoutId<Event> = Event extends unknown ? Omit<Event, 'id'> : never;

/** A paused batch buys nothing, and in one that has ended nothing happens: a pause or an end that comes now is another one. */
function afterStep(known: KnownBatch, { name }: Step): KnownBatch {
  return known === 'ended' || name === 'row.started' ? null : known;
}

function newest({ decidedAtMs }: BatchPosition, row: StreamedRow): number {
  return Math.max(decidedAtMs, row.decidedAtMs ?? 0);
}

/** The event of the state that a batch is in; null while it runs. */
function stateEvent({ batchId, name, status, pausedReason, rows }: BatchStreamRow) {
  const data = { batch_id: batchId, name };
  const hold = (known: KnownBatch, event: WithoutId<BatchEventView>) => ({ known, event });
  if (status === 'paused' && pausedReason !== null)
    return hold(pausedReason, {
      event: 'batch.paused',
      data: { ...data, status, paused_reason: pausedReason },
    });
  if (status === 'completed')
    return hold('ended', { event: 'batch.completed', data: { ...data, status, paused_reason: null } });
  // What runs ends, also in a batch that was cancelled.
  if (status === 'cancelled' && rows.every(({ state }) => state !== 'running'))
    return hold('ended', { event: 'batch.cancelled', data: { ...data, status, paused_reason: null } });
  return null;
}
