import type { ServerResponse } from 'node:http';
import { hasEnded } from '../../council/report.js';
import { readStreams, type StreamRow } from '../../db/reports/report-stream.js';
import type { ApiContext } from '../context.js';
import { frameOf } from '../http/event-stream.js';
import { presentStream } from '../present/run-events.js';
import { OpenStreams } from './open-streams.js';

const readsAtOnceMax = 500;

/**
 * The open event streams of reports in this process. Invariants:
 * - changes wake them; what has changed is read for all streams at once, so a stream costs neither a query nor a timer;
 * - a stream is read after its reader is known, so that it misses no later change;
 * - a stream ends with the report, too: its reader resumes anywhere by the position of its last event.
 */
export class ReportStreams {
  private readonly context: Pick<ApiContext, 'db' | 'reportChanges' | 'closing' | 'log'>;
  /** By report. A reader knows the position of the last event that it was sent. */
  private readonly streams: OpenStreams<number, number>;
  private readonly changed = new Set<number>();
  private isReading = false;

  constructor(context: ReportStreams['context']) {
    this.context = context;
    this.streams = new OpenStreams({
      closing: context.closing,
      tickMs: 2_000,
      ticksPerComment: 7,
      // A stream has some 4 KB in all.
      unreadBytesMax: 64 * 1024,
      onBegin: () => context.reportChanges.subscribe(reportId => this.note(reportId)),
      onTick: isComment => this.look(isComment),
    });
  }

  /** @param after the position of the last event that the reader has; 0 for none */
  follow(response: ServerResponse, { reportId, after }: { reportId: number; after: number }): void {
    if (this.streams.open(response, reportId, after)) this.note(reportId);
  }

  /** @param reportId the report that has changed; null if any of them may have */
  private note(reportId: number | null): void {
    if (reportId === null) for (const id of this.streams.ids()) this.changed.add(id);
    else if (this.streams.isFollowed(reportId)) this.changed.add(reportId);
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
    for (const reader of this.streams.of(row.reportId)) {
      if (reader.response.writableEnded) continue;
      // The end is sent again to a reader who has it already: without it, clients would connect again and again.
      const from = isOver ? Math.min(reader.known, events.length - 1) : reader.known;
      for (const event of events.slice(from)) reader.response.write(frameOf(event));
      reader.known = Math.max(reader.known, events.length);
      if (isOver) reader.response.end();
    }
  }

  /** A notification can be lost with the process that would have sent it. */
  private look(isComment: boolean): void {
    if (isComment || !this.context.reportChanges.isListening()) this.note(null);
    else void this.readChanged();
  }
}
