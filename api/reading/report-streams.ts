import type { ServerResponse } from 'node:http';
import { hasEnded } from '../../council/report.js';
import { readStreams, type StreamRow } from '../../db/reports/report-stream.js';
import { streamSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { frameOf, streamComment, streamStart } from '../http/event-stream.js';
import { presentStream } from '../present/run-events.js';

interface Reader {
  readonly response: ServerResponse;
  /** Position of the last event that was sent. */
  sent: number;
  readonly endsAtMs: number;
}

const tickMs = 2_000;
/** A comment at least every 15 seconds keeps proxies from closing a quiet stream. */
const ticksPerComment = 7;
const readsAtOnceMax = 500;
/** A stream has some 4 KB in all. */
const unreadBytesMax = 64 * 1024;

/**
 * The open event streams of this process. Invariants:
 * - changes wake them; what has changed is read for all streams at once, so a stream costs neither a query nor a timer;
 * - a stream is read after its reader is known, so that it misses no later change;
 * - a stream ends with the report, after some minutes, or when the process stops: its reader resumes anywhere by the
 *   position of its last event;
 * - a reader that takes nothing is disconnected.
 */
export class ReportStreams {
  private readonly context: Pick<ApiContext, 'db' | 'reportChanges' | 'closing' | 'log'>;
  private readonly readers = new Map<number, Set<Reader>>();
  private readonly changed = new Set<number>();
  private hasBegun = false;
  private isReading = false;
  private ticks = 0;

  constructor(context: ReportStreams['context']) {
    this.context = context;
  }

  /** @param after the position of the last event that the reader has; 0 for none */
  follow(response: ServerResponse, { reportId, after }: { reportId: number; after: number }): void {
    this.begin();
    const reader = { response, sent: after, endsAtMs: performance.now() + streamSeconds * 1_000 };
    const ofReport = this.readers.get(reportId) ?? new Set();
    this.readers.set(reportId, ofReport.add(reader));
    response.once('close', () => {
      ofReport.delete(reader);
      if (ofReport.size === 0 && this.readers.get(reportId) === ofReport) this.readers.delete(reportId);
    });
    response.write(streamStart);
    if (this.context.closing.aborted) response.end();
    else this.note(reportId);
  }

  /** With the first stream: a process without any looks after nothing. */
  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { reportChanges, closing } = this.context;
    const ticking = setInterval(() => this.tick(), tickMs).unref();
    const unsubscribe = reportChanges.subscribe(reportId => this.note(reportId));
    closing.addEventListener('abort', () => {
      clearInterval(ticking);
      unsubscribe();
      for (const { response } of this.all()) response.end();
    });
  }

  /** @param reportId the report that has changed; null if any of them may have */
  private note(reportId: number | null): void {
    if (reportId === null) for (const id of this.readers.keys()) this.changed.add(id);
    else if (this.readers.has(reportId)) this.changed.add(reportId);
    void this.readChanged();
  }

  private async readChanged(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    let ids: readonly number[] = [];
    try {
      while (this.changed.size > 0) {
        ids = [...this.changed].slice(0, readsAtOnceMax);
        // Before they are read: a change during the reading is noted again.
        for (const id of ids) this.changed.delete(id);
        for (const row of await readStreams(this.context.db, ids)) this.deliver(row);
      }
    } catch (err) {
      // The next tick reads them again.
      for (const id of ids) this.changed.add(id);
      this.context.log.warn({ err }, 'event streams could not be read');
    } finally {
      this.isReading = false;
    }
  }

  private deliver(row: StreamRow): void {
    const events = presentStream(row);
    const isOver = hasEnded(row.status);
    for (const reader of this.readers.get(row.reportId) ?? []) {
      if (reader.response.writableEnded) continue;
      // The end is sent again to a reader who has it already: without it, clients would connect again and again.
      const from = isOver ? Math.min(reader.sent, events.length - 1) : reader.sent;
      for (const event of events.slice(from)) reader.response.write(frameOf(event));
      reader.sent = Math.max(reader.sent, events.length);
      if (isOver) reader.response.end();
    }
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
    // A notification can be lost with the process that would have sent it.
    if (isComment || !this.context.reportChanges.isListening()) this.note(null);
    else void this.readChanged();
  }

  private all(): readonly Reader[] {
    return [...this.readers.values()].flatMap(ofReport => [...ofReport]);
  }
}
