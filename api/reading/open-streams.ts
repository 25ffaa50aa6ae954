import type { ServerResponse } from 'node:http';
import { streamSeconds } from '../../purchase/limits.js';
import { streamComment, streamStart } from '../http/event-stream.js';

/** Who reads a stream. */
export interface StreamReader<Known> {
  readonly response: ServerResponse;
  /** What the reader has been sent. */
  known: Known;
  readonly endsAtMs: number;
}

interface Options {
  readonly closing: AbortSignal;
  readonly tickMs: number;
  /** A comment at least every 15 seconds keeps proxies from closing a quiet stream. */
  readonly ticksPerComment: number;
  /** A reader with more that it has not taken is disconnected. */
  readonly unreadBytesMax: number;
  /** Called with the first stream: a process without any looks after nothing. @returns how to stop it */
  readonly onBegin?: () => () => void;
  readonly onTick: (isComment: boolean) => void;
}

/**
 * The open event streams of one kind in this process, by what they follow. Invariants:
 * - a stream ends after some minutes, and when the process stops: its reader resumes anywhere;
 * - a reader that takes nothing is disconnected.
 */
export class OpenStreams<Id, Known> {
  private readonly options: Options;
  private readonly readers = new Map<Id, Set<StreamReader<Known>>>();
  private hasBegun = false;
  private ticks = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** @param known what the reader has already. @returns false if the process stops, and the stream has ended */
  open(response: ServerResponse, id: Id, known: Known): boolean {
    this.begin();
    const reader = { response, known, endsAtMs: performance.now() + streamSeconds * 1_000 };
    const ofId = this.readers.get(id) ?? new Set();
    this.readers.set(id, ofId.add(reader));
    response.once('close', () => {
      ofId.delete(reader);
      if (ofId.size === 0 && this.readers.get(id) === ofId) this.readers.delete(id);
    });
    response.write(streamStart);
    if (!this.options.closing.aborted) return true;
    response.end();
    return false;
  }

  /** What is followed. */
  ids(): readonly Id[] {
    return [...this.readers.keys()];
  }

  isFollowed(id: Id): boolean {
    return this.readers.has(id);
  }

  of(id: Id): readonly StreamReader<Known>[] {
    return [...(this.readers.get(id) ?? [])];
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { closing, tickMs, onBegin } = this.options;
    const ticking = setInterval(() => this.tick(), tickMs).unref();
    const stop = onBegin?.();
    closing.addEventListener('abort', () => {
      clearInterval(ticking);
      stop?.();
      for (const { response } of this.all()) response.end();
    });
  }

  private tick(): void {
    const { ticksPerComment, unreadBytesMax, onTick } = this.options;
    this.ticks++;
    const isComment = this.ticks % ticksPerComment === 0;
    for (const { response, endsAtMs } of this.all()) {
      if (response.writableEnded) continue;
      if (response.writableLength > unreadBytesMax) response.destroy();
      else if (performance.now() >= endsAtMs) response.end();
      else if (isComment) response.write(streamComment);
    }
    onTick(isComment);
  }

  private all(): readonly StreamReader<Known>[] {
    return this.ids().flatMap(id => this.of(id));
  }
}
