import type { ReportEvent } from './api-types.js';
import {
  type ConnectOptions,
  EventStream,
  type StreamOf,
  type StreamSource,
  streamEvents,
} from './event-stream.js';

export interface EventsOptions extends ConnectOptions {
  /** The `id` of the last event that the caller has. Default: from the beginning. */
  readonly lastEventId?: number;
}

/** The event stream of one report. */
export function reportStream(source: StreamSource, reportId: number): EventStream<ReportEvent> {
  return new EventStream(source, ofReport(reportId));
}

/**
 * The events of a report until its run has ended.
 * @throws CouncilProblem if the stream is refused for good
 */
export function reportEvents(
  source: StreamSource,
  reportId: number,
  options: EventsOptions & { readonly reconnectWithinSeconds: number },
): AsyncGenerator<ReportEvent, void, undefined> {
  return streamEvents(source, ofReport(reportId), options);
}

/** Whether the run has ended with this event. */
export function isLast({ event }: ReportEvent): boolean {
  return event === 'report.completed' || event === 'report.failed';
}

function ofReport(id: number): StreamOf<ReportEvent> {
  return {
    endpoint: 'GET /api/reports/{id}/events',
    id,
    eventOf: (position, event, data) => ({ id: Number(position), event, data }) as ReportEvent,
    isLast,
  };
}
