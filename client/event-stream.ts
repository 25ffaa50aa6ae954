import { CouncilProblem } from './council-problem.js';
import type { AnyOptions, Endpoint } from './request-options.js';
import { isBusy, pause } from './retries.js';
import { readServerSentEvents } from './server-sent-events.js';

/** What a stream needs of a client. */
export interface StreamSource {
  readonly baseUrl: string;
  send(endpoint: Endpoint, options: AnyOptions): Promise<Response>;
}

export interface ConnectOptions {
  /** Ends the stream. What is thrown then is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called with true when the stream is open, and with false when its connection has ended. */
  readonly onConnection?: (isOpen: boolean) => void;
}

/** The API sends a comment at least every 15 seconds. */
const silenceMaxMs = 45_000;
/** How long the headers of a stream may take. */
const openWithinMs = 10_000;
/** The pause before the next connection, until the API names one (`retry:`). */
const retryMsUnset = 3_000;

/** Whose events a stream has. */
export interface StreamOf<Event> {
  readonly endpoint: Endpoint;
  readonly id: number | string;
  /** The event of an `id`, a name and parsed data. */
  readonly eventOf: (id: string, event: string, data: unknown) => Event;
  /** Whether nothing comes after the event. */
  readonly isLast: (event: Event) => boolean;
}

/** An event stream over several connections: each goes on after the last event of the one before. */
export class EventStream<Event extends { readonly id: number | string }> {
  private readonly source: StreamSource;
  private readonly of: StreamOf<Event>;
  private lastEventId: string | null;
  retryMs = retryMsUnset;

  /** @param lastEventId the last event that the caller has; null or 0 for none */
  constructor(source: StreamSource, of: StreamOf<Event>, lastEventId: number | string | null = null) {
    this.source = source;
    this.of = of;
    this.lastEventId = lastEventId === 0 || lastEventId === null ? null : String(lastEventId);
  }

  /**
   * The events of one connection.
   * @throws CouncilProblem if it is refused; `unreachable` if it cannot be made or breaks off
   */
  async *connect({ signal, onConnection }: ConnectOptions = {}): AsyncGenerator<Event, void, undefined> {
    const leaving = new AbortController();
    const stop = () => leaving.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const body = await this.open(leaving);
      onConnection?.(true);
      try {
        const onRetry = (ms: number) => (this.retryMs = ms);
        for await (const { id, event, data } of readServerSentEvents(body, { onRetry, silenceMaxMs })) {
          const read = this.of.eventOf(id, event, JSON.parse(data));
          this.lastEventId = id;
          yield read;
        }
      } finally {
        onConnection?.(false);
      }
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof CouncilProblem) throw cause;
      const { baseUrl } = this.source;
      throw new CouncilProblem('unreachable', 'The event stream broke off.', { baseUrl, cause });
    } finally {
      signal?.removeEventListener('abort', stop);
      leaving.abort();
    }
  }

  private async open(leaving: AbortController): Promise<ReadableStream<Uint8Array>> {
    const tooLate = setTimeout(() => leaving.abort(new Error('no headers in time')), openWithinMs);
    const resume = this.lastEventId === null ? {} : { 'last-event-id': this.lastEventId };
    try {
      const response = await this.source.send(this.of.endpoint, {
        path: { id: this.of.id },
        headers: { accept: 'text/event-stream', ...resume },
        signal: leaving.signal,
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (response.body !== null && isStream) return response.body;
      const { baseUrl } = this.source;
      throw new CouncilProblem('unexpected_answer', 'The response is no event stream.', { baseUrl });
    } finally {
      clearTimeout(tooLate);
    }
  }
}

/**
 * The events of a stream until its last one. Connects again when a connection ends before that, and gives up when none
 * could be made for the given time.
 * @throws CouncilProblem if the stream is refused for good
 */
export async function* streamEvents<Event extends { readonly id: number | string }>(
  source: StreamSource,
  of: StreamOf<Event>,
  options: ConnectOptions & {
    readonly lastEventId?: number | string | undefined;
    readonly reconnectWithinSeconds: number;
  },
): AsyncGenerator<Event, void, undefined> {
  const { lastEventId, signal, onConnection, reconnectWithinSeconds } = options;
  const stream = new EventStream(source, of, lastEventId);
  let connectedAtMs = Date.now();
  const notice = (isOpen: boolean) => {
    connectedAtMs = Date.now();
    onConnection?.(isOpen);
  };
  for (;;) {
    let pauseMs = 0;
    try {
      for await (const event of stream.connect({ signal, onConnection: notice })) {
        yield event;
        if (of.isLast(event)) return;
      }
    } catch (error) {
      if (!mayPass(error)) throw error;
      pauseMs = (error.retryAfterSeconds ?? 0) * 1_000;
      const untilMs = connectedAtMs + reconnectWithinSeconds * 1_000;
      if (Date.now() + Math.max(pauseMs, stream.retryMs) > untilMs) throw error;
    }
    await pause(Math.max(pauseMs, stream.retryMs), signal);
  }
}

/** Whether a later connection may succeed where this one failed. */
export function mayPass(error: unknown): error is CouncilProblem {
  return isBusy(error) || (error instanceof CouncilProblem && error.code === 'unreachable');
}
