import type { BatchEvent } from './api-types.js';
import { type ConnectOptions, type StreamSource, streamEvents } from './event-stream.js';

export interface BatchEventsOptions extends ConnectOptions {
  /** The `id` of the last event that the caller has. Default: from the beginning. */
  readonly lastEventId?: string;
}

/**
 * The events of a batch until it has ended.
 * @throws CouncilProblem if the stream is refused for good
 */
export function batchEvents(
  source: StreamSource,
  batchId: string,
  options: BatchEventsOptions & { readonly reconnectWithinSeconds: number },
): AsyncGenerator<BatchEvent, void, undefined> {
  return streamEvents(
    source,
    {
      endpoint: 'GET /api/batches/{id}/events',
      id: batchId,
      eventOf: (id, event, data) => ({ id, event, data }) as BatchEvent,
      isLast: ({ event }) => event === 'batch.completed' || event === 'batch.cancelled',
    },
    options,
  );
}
