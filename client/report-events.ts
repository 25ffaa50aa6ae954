import type { ReportEvent } from './api-types.js';
import { CouncilProblem } from './council-problem.js';
import type { AnyOptions, Endpoint } from './request-options.js';
import { isBusy, pause } from './retries.js';
import { readServerSentEvents } from './server-sent-events.js';

/** What a stream needs of a client. */
export interface StreamSource {
  readonly baseUrl: string;
  send(endpoint: Endpoint, options: AnyOptions): Promise<Response>;
}

export interface EventsOptions {
  /** The `id` of the last event that the caller has. Default: from the beginning. */
  readonly lastEventId?: number;
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

/** The event stream of one report over several connections: each goes on after the last event of the one before. */
export class ReportStream {
  private readonly source: StreamSource;
  private readonly reportId: number;
  private lastEventId: number;
  retryMs = retryMsUnset;

  constructor(source: StreamSource, reportId: number, lastEventId = 0) {
    this.source = source;
    this.reportId = reportId;
    this.lastEventId = lastEventId;
  }

  /**
   * The events of one connection.
   * @throws CouncilProblem if it is refused; `unreachable` if it cannot be made or breaks off
   */
  async *connect({ signal, onConnection }: EventsOptions = {}): AsyncGenerator<ReportEvent, void, undefined> {
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
          const read = eventOf(id, event, data);
          this.lastEventId = read.id;
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
    const resume = this.lastEventId === 0 ? {} : { 'last-event-id': String(this.lastEventId) };
    try {
      const response = await this.source.send('GET /api/reports/{id}/events', {
        path: { id: this.reportId },
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
 * The events of a report until its run has ended. Connects again when a connection ends before that, and gives up when none
 * could be made for the given time.
 * @throws CouncilProblem if the stream is refused for good
 */
export async function* reportEvents(
  source: StreamSource,
  reportId: number,
  options: EventsOptions & { readonly reconnectWithinSeconds: number },
): AsyncGenerator<ReportEvent, void, undefined> {
  const { lastEventId, signal, onConnection, reconnectWithinSeconds } = options;
  const stream = new ReportStream(source, reportId, lastEventId);
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
        if (isLast(event)) return;
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

/** Whether the run has ended with this event. */
export function isLast({ event }: ReportEvent): boolean {
  return event === 'report.completed' || event === 'report.failed';
}

/** Whether a later connection may succeed where this one failed. */
export function mayPass(error: unknown): error is CouncilProblem {
  return isBusy(error) || (error instanceof CouncilProblem && error.code === 'unreachable');
}

/** @throws SyntaxError for data that is not JSON */
function eventOf(id: string, event: string, data: string): ReportEvent {
  return { id: Number(id), event, data: JSON.parse(data) } as ReportEvent;
}
