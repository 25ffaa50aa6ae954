import type { Event, EventList, EventPrices, TrackRecord } from './api-types.js';
import { BatchResults } from './batch-files.js';
import { Caller, type ClientOptions } from './caller.js';
import { type Cancellable, Reports } from './reports.js';
import type { AnswerAt, Endpoint, QueryAt, RequestArguments } from './request-options.js';
import { Webhooks } from './webhooks.js';

/**
 * The Council Report Service.
 *
 * What is sent as it is (purchases, queries) has the names of the API. All other options are in camel case. Every failure is
 * a `CouncilProblem`, but a call that was aborted by its signal throws the reason of the signal.
 */
export class CouncilReports {
  readonly baseUrl: string;
  readonly reports: Reports;
  readonly batches: BatchResults;
  readonly events: Events;
  readonly trackRecord: TrackRecords;
  readonly webhooks = new Webhooks();
  private readonly caller: Caller;

  constructor(options: ClientOptions) {
    this.caller = new Caller(options);
    this.baseUrl = this.caller.baseUrl;
    this.reports = new Reports(this.caller);
    this.batches = new BatchResults(this.caller);
    this.events = new Events(this.caller);
    this.trackRecord = new TrackRecords(this.caller);
  }

  /**
   * Any operation of the API: `request('GET /api/reports/{id}', { path: { id: 7 } })`.
   *
   * 429 and 503 are tried again as the API says, except for a POST or PATCH without an `Idempotency-Key`.
   */
  request<Name extends Endpoint>(
    endpoint: Name,
    ...[options]: RequestArguments<Name>
  ): Promise<AnswerAt<Name>> {
    return this.caller.request(endpoint, options);
  }
}

/** The events of the prediction markets. */
class Events {
  private readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Events that match a text, the most relevant first, a page at a time. */
  search(query: QueryAt<'GET /api/events'> = {}, { signal }: Cancellable = {}): Promise<EventList> {
    return this.caller.request('GET /api/events', { query, signal });
  }

  /** @throws CouncilProblem `event_not_found` */
  get(eventId: string, { signal }: Cancellable = {}): Promise<Event> {
    return this.caller.request('GET /api/events/{event_id}', { path: { event_id: eventId }, signal });
  }

  /**
   * What YES of a market traded at; of the event's first market unless the query names one.
   * @throws CouncilProblem `event_not_found`
   */
  prices(
    eventId: string,
    query: QueryAt<'GET /api/events/{event_id}/prices'> = {},
    { signal }: Cancellable = {},
  ): Promise<EventPrices> {
    const path = { event_id: eventId };
    return this.caller.request('GET /api/events/{event_id}/prices', { path, query, signal });
  }
}

/** What became of the forecasts of the service. */
class TrackRecords {
  private readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  get({ signal }: Cancellable = {}): Promise<TrackRecord> {
    return this.caller.request('GET /api/stats/track-record', { signal });
  }
}
