import type {
  Check,
  Deliberation,
  Lane,
  MarketSnapshot,
  Purchase,
  Receipt,
  Report,
  ReportEvent,
  ReportList,
  Runtime,
} from './api-types.js';
import type { Caller } from './caller.js';
import { CouncilProblem } from './council-problem.js';
import { type EventsOptions, reportEvents } from './report-events.js';
import type { QueryAt } from './request-options.js';
import { newKey, sendUnderKey } from './send-under-key.js';
import { assertWithinLimit, centsOf, quoteFrom } from './spending-limit.js';
import { type WaitOptions, waitForReport } from './wait-for-report.js';

export interface Cancellable {
  /** Ends the call. What is thrown then is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface CheckOptions extends Cancellable {
  /** Default: that of the account. */
  readonly lane?: Lane | undefined;
  /** The fewest valid opinions, 2 to 4. Default: 2. */
  readonly minMembers?: number | undefined;
}

export interface RunOptions extends CheckOptions, Pick<WaitOptions, 'onProgress'> {
  readonly eventId: string;
  /** The most that the report may cost in credits. Default: no limit, but none are spent if only `maxUsd` is given. */
  readonly maxCredits?: number | undefined;
  /** The most that a subscription may be billed, in US dollars. Default: no dollars are billed. */
  readonly maxUsd?: number | undefined;
}

/** A report whose run has succeeded. */
export interface CompletedReport extends Report {
  readonly status: 'completed';
  readonly council_config: Report['council_config'] & { readonly runtime: Runtime };
  readonly deliberation: Deliberation;
  readonly market_snapshot: MarketSnapshot;
}

/** Buying, following and reading reports. */
export class Reports {
  private readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * Checks the price, buys the report if it is within the limits, waits until the run has ended and returns the report. At
   * most the checked price is charged. A run goes on if the call is aborted; `reports.wait` follows it again.
   *
   * @throws CouncilProblem `over_max_credits` or `over_max_usd` if nothing was bought because of its price;
   *   `report_failed` if the run failed, which is refunded or not billed; `purchase_unknown` if no usable answer to the
   *   purchase arrived: then check whether the report is yours. `reportId` is set once the report is bought.
   */
  async runAndWait({
    eventId,
    maxCredits,
    maxUsd,
    onProgress,
    ...options
  }: RunOptions): Promise<CompletedReport> {
    const { minMembers, signal } = options;
    const check = await this.check(eventId, options);
    assertWithinLimit(check, {
      maxCredits: maxCredits ?? null,
      maxUsdCents: maxUsd === undefined ? null : centsOf(maxUsd),
    });
    const { report_id: reportId } = await this.buy(
      { event_id: eventId, ...quoteFrom(check), min_members: minMembers },
      { signal },
    );
    const report = await this.wait(reportId, { onProgress, signal }).catch(failedAfter(reportId));
    if (isCompleted(report)) return report;
    const { baseUrl } = this.caller;
    throw new CouncilProblem('report_failed', report.failure?.detail ?? 'The run failed.', {
      baseUrl,
      reportId,
    });
  }

  /** What a report would cost now, and who pays. Buys nothing. */
  check(eventId: string, { lane, minMembers, signal }: CheckOptions = {}): Promise<Check> {
    const query = { lane, min_members: minMembers };
    return this.caller.request('GET /api/reports/check/{event_id}', {
      path: { event_id: eventId },
      query,
      signal,
    });
  }

  /**
   * Buys a report. If the response is lost, or the service cannot tell the outcome, sends the purchase once more under the
   * same key, so it is charged once.
   *
   * @param idempotencyKey Default: a new one for each call.
   * @throws CouncilProblem `purchase_unknown` if that does not tell it either
   */
  buy(
    purchase: Purchase,
    { idempotencyKey = newKey(), signal }: Cancellable & { readonly idempotencyKey?: string } = {},
  ): Promise<Receipt> {
    return sendUnderKey(this.caller, 'POST /api/reports', { body: purchase, idempotencyKey, signal });
  }

  /** @param waitSeconds how long the API may hold the response until the report changes; at most 50 */
  get(id: number, options: Cancellable & { readonly waitSeconds?: number } = {}): Promise<Report> {
    return this.caller.readReport(id, options);
  }

  /** The reports of the account, newest first, a page at a time. */
  list(query: QueryAt<'GET /api/reports'> = {}, { signal }: Cancellable = {}): Promise<ReportList> {
    return this.caller.request('GET /api/reports', { query, signal });
  }

  /**
   * What happens in a run, from its beginning to its end. Connects again after an interruption and goes on after the last
   * event, without a gap or a repeat.
   *
   * @throws CouncilProblem if the stream is refused, or cannot be opened within `retryWithinSeconds`
   */
  events(id: number, options: EventsOptions = {}): AsyncGenerator<ReportEvent, void, undefined> {
    return reportEvents(this.caller, id, {
      ...options,
      reconnectWithinSeconds: this.caller.retryWithinSeconds,
    });
  }

  /**
   * Waits until a run has ended, or the time is up, and returns the report as it is then. Follows the event stream, or
   * where there is none, reads the report again and again.
   */
  async wait(id: number, options: WaitOptions = {}): Promise<Report> {
    return waitForReport(this.caller, id, options);
  }
}

function isCompleted(report: Report): report is CompletedReport {
  return report.status === 'completed';
}

/** Names the report in what is thrown after its purchase. */
function failedAfter(reportId: number): (error: unknown) => never {
  return error => {
    if (!(error instanceof CouncilProblem)) throw error;
    const { code, message, baseUrl, document, retryAfterSeconds } = error;
    throw new CouncilProblem(code, message, {
      baseUrl,
      ...(document === null ? {} : { document }),
      retryAfterSeconds,
      reportId,
      cause: error,
    });
  };
}
