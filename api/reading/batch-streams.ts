import type { ServerResponse } from 'node:http';
import { type BatchStreamRow, readBatchStreams } from '../../db/batches/batch-stream.js';
import { streamSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { frameOf, streamComment, streamStart } from '../http/event-stream.js';
import { batchEventsSince, lastBatchEvent } from '../present/batch-events.js';
import type { BatchPosition } from '../present/batch-position.js';

interface Reader {
  readonly response: ServerResponse;
  known: BatchPosition;
  readonly endsAtMs: number;
}

const tickMs = 1_000;
/** A comment at least every 15 seconds keeps proxies from closing a quiet stream. */
const ticksPerComment = 14;
/** A batch has up to 500 rows. */
const batchesReadAtOnceMax = 20;
/** The whole stream of 500 rows has some 300 KB. */
const unreadBytesMax = 1024 * 1024;

/**
 * The open event streams of batches in this process. Invariants:
 * - a followed batch is read once a second, for all of its readers and with other batches in one statement;
 * - what a reader is sent is the difference between what it knows and what is read, so it misses nothing and gets nothing
 *   twice, at whichever process it resumes;
 * - a stream ends with its batch, after some minutes, or when the process stops;
 * - a reader that takes nothing is disconnected.
 */
export class BatchStreams {
  private readonly context: Pick<ApiContext, 'db' | 'closing' | 'log'>;
  private readonly readers = new Map<string, Set<Reader>>();
  private readonly due = new Set<string>();
  private hasBegun = false;
  private isReading = false;
  private ticks = 0;

  constructor(context: BatchStreams['context']) {
    this.context = context;
  }

  /** @param after what the reader knows */
  follow(
    response: ServerResponse,
    { batchId, after }: { readonly batchId: string; readonly after: BatchPosition },
  ): void {
    const reader = { response, known: after, endsAtMs: performance.now() + streamSeconds * 1_000 };
    const ofBatch = this.readers.get(batchId) ?? new Set();
    this.readers.set(batchId, ofBatch.add(reader));
    response.once('close', () => this.leave(batchId, ofBatch, reader));
    response.write(streamStart);
    this.begin();
    if (this.context.closing.aborted) response.end();
    else this.note([batchId]);
  }

  /** With the first stream: a process without any looks after nothing. */
  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const ticking = setInterval(() => this.tick(), tickMs).unref();
    this.context.closing.addEventListener('abort', () => {
      clearInterval(ticking);
      for (const { response } of this.all()) response.end();
    });
  }

  private leave(batchId: string, ofBatch: Set<Reader>, reader: Reader): void {
    ofBatch.delete(reader);
    if (ofBatch.size === 0 && this.readers.get(batchId) === ofBatch) this.readers.delete(batchId);
  }

  private tick(): void {
    this.ticks++;
    const isComment = this.ticks % ticksPerComment === 0;
    for (const { response, endsAtMs } of this.all()) {
      if (response.writableEnded) continue;
      if (response.writableLength > unreadBytesMax) response.destroy();
      else if (performance.now() >= endsAtMs) response.end();
      else if (isComment) response.write(streamComment);
    }
    this.note(this.readers.keys());
  }

  private note(batchIds: Iterable<string>): void {
    for (const id of batchIds) this.due.add(id);
    void this.readDue();
  }

  /**
   * One reading after the other, and for those only who followed before it began: what a reader knows must not be newer
   * than what is read.
   */
  private async readDue(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    while (this.due.size > 0) {
      const ids = [...this.due].slice(0, batchesReadAtOnceMax);
      for (const id of ids) this.due.delete(id);
      const readers = new Map(ids.map(id => [id, [...(this.readers.get(id) ?? [])]]));
      try {
        for (const batch of await readBatchStreams(this.context.db, ids))
          for (const reader of readers.get(batch.batchId) ?? []) deliver(reader, batch);
      } catch (err) {
        // The next tick reads them again.
        this.context.log.warn({ err }, 'event streams of batches could not be read');
      }
    }
    this.isReading = false;
  }

  private all(): readonly Reader[] {
    return [...this.readers.values()].flatMap(ofBatch => [...ofBatch]);
  }
}

function deliver(reader: Reader, batch: BatchStreamRow): void {
  const { response } = reader;
  if (response.writableEnded) return;
  const { events, known } = batchEventsSince(reader.known, batch);
  reader.known = known;
  for (const event of events) response.write(frameOf(event));
  const last = lastBatchEvent(known, batch);
  if (last === null) return;
  // The end is sent again to a reader who has it already: without it, clients would connect again and again.
  if (events.length === 0) response.write(frameOf(last));
  response.end();
}
