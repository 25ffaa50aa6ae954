import type { ServerResponse } from 'node:http';
import { type BatchStreamRow, readBatchStreams } from '../../db/batches/batch-stream.js';
import type { ApiContext } from '../context.js';
import { frameOf } from '../http/event-stream.js';
import { batchEventsSince, lastBatchEvent } from '../present/batch-events.js';
import type { BatchPosition } from '../present/batch-position.js';
import { OpenStreams, type StreamReader } from './open-streams.js';

/** A batch has up to 500 rows. */
const batchesReadAtOnceMax = 20;

/**
 * The open event streams of batches in this process. Invariants:
 * - a followed batch is read once a second, for all of its readers and with other batches in one statement;
 * - what a reader is sent is the difference between what it knows and what is read, so it misses nothing and gets nothing
 *   twice, at whichever process it resumes;
 * - a stream ends with its batch, too.
 */
export class BatchStreams {
  private readonly context: Pick<ApiContext, 'db' | 'closing' | 'log'>;
  /** By batch. */
  private readonly streams: OpenStreams<string, BatchPosition>;
  private readonly due = new Set<string>();
  private isReading = false;

  constructor(context: BatchStreams['context']) {
    this.context = context;
    this.streams = new OpenStreams({
      closing: context.closing,
      tickMs: 1_000,
      ticksPerComment: 14,
      // The whole stream of 500 rows has some 300 KB.
      unreadBytesMax: 1024 * 1024,
      onTick: () => this.note(this.streams.ids()),
    });
  }

  /** @param after what the reader knows */
  follow(
    response: ServerResponse,
    { batchId, after }: { readonly batchId: string; readonly after: BatchPosition },
  ): void {
    if (this.streams.open(response, batchId, after)) this.note([batchId]);
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
      const readers = new Map(ids.map(id => [id, this.streams.of(id)]));
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
}

function deliver(reader: StreamReader<BatchPosition>, batch: BatchStreamRow): void {
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
