import type { Endpoint } from '../contract/operations.js';
import type { ReceiptView, SentPurchase } from '../contract/purchase.js';
import type { ReportView } from '../contract/reports.js';
import { hasEnded } from '../council/report.js';
import type { Lane } from '../purchase/purchase.js';
import { type AnyOptions, type ApiAddress, ApiProblem, HttpClient } from './http-client.js';
import { schemaParsers } from './schema-parsers.js';

/**
 * The API itself gives up sooner. Three attempts fit into the 60 seconds after which an MCP client usually
 * gives up.
 */
const timeoutMs = 10_000;
const retryPurchaseAfterSeconds = 0.25;

/** The operations of the public API that the command line and the MCP tools use. */
export class CouncilClient {
  readonly baseUrl: string;
  private readonly http: HttpClient;

  constructor(address: ApiAddress) {
    this.http = new HttpClient(address, schemaParsers);
    this.baseUrl = this.http.baseUrl;
  }

  searchEvents(query: NonNullable<AnyOptions['query']>) {
    return this.request('GET /api/events', { query });
  }

  readEvent(eventId: string) {
    return this.request('GET /api/events/{event_id}', { path: { event_id: eventId } });
  }

  readPricing() {
    return this.request('GET /api/credits/pricing');
  }

  readBalance() {
    return this.request('GET /api/credits/balance');
  }

  readTrackRecord() {
    return this.request('GET /api/stats/track-record');
  }

  checkReport(eventId: string, lane?: Lane, minMembers?: number) {
    const query = { lane, ...(minMembers === undefined ? {} : { min_members: String(minMembers) }) };
    const options = { path: { event_id: eventId }, query };
    return this.request('GET /api/reports/check/{event_id}', options);
  }

  /** @param waitSeconds how long the API may hold the response until the report changes */
  readReport(id: number, { waitSeconds = 0, signal }: { waitSeconds?: number; signal?: AbortSignal } = {}) {
    return this.request('GET /api/reports/{id}', {
      path: { id },
      headers: waitSeconds > 0 ? { prefer: `wait=${waitSeconds}` } : {},
      timeoutMs: timeoutMs + waitSeconds * 1_000,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /**
   * Buys a report. If the response is lost, or the service cannot tell the outcome, sends the purchase once more
   * under the same Idempotency-Key, so it is charged once.
   * @throws ApiProblem `purchase_unknown` if that does not tell it either
   */
  async buyReport(body: SentPurchase, idempotencyKey: string): Promise<ReceiptView> {
    const options = { body, headers: { 'idempotency-key': idempotencyKey } };
    const buy = () => this.request('POST /api/reports', options);
    try {
      return await buy().catch(async (error: unknown) => {
        if (!isLost(error)) throw error;
        await pause((error.retryAfterSeconds ?? retryPurchaseAfterSeconds) * 1_000);
        return buy();
      });
    } catch (cause) {
      if (!isLost(cause)) throw cause;
      const detail = 'The purchase was sent, but its outcome is unknown.';
      const { retryAfterSeconds } = cause;
      throw new ApiProblem('purchase_unknown', detail, { baseUrl: this.baseUrl, cause, retryAfterSeconds });
    }
  }

  /** Needs a session. */
  mintKey(name: string) {
    return this.request('POST /api/keys', { body: { name } });
  }

  /** @throws ApiProblem if the service is not running. */
  async checkHealth(): Promise<void> {
    await this.request('GET /healthz');
  }

  private request<Name extends Endpoint>(endpoint: Name, options: AnyOptions = {}) {
    return this.http.request(endpoint, { timeoutMs, ...options });
  }
}

/** The API may have processed the request although no usable response arrived, or says that it does not know. */
function isLost(error: unknown): error is ApiProblem {
  if (!(error instanceof ApiProblem)) return false;
  const isUnanswered = error.code === 'unreachable' || error.code === 'unexpected_answer';
  return isUnanswered || error.document?.outcome === 'unknown';
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** After a read without progress, in case a proxy drops `Prefer: wait` and every response comes at once. */
const pauseWithoutProgressMs = 250;

/**
 * The API compares with the state at the start of a read, so it does not notice a change between two reads.
 * A short wait bounds how long such a change stays unseen.
 */
const followWaitSeconds = 5;

interface FollowOptions {
  readonly onReport: (report: ReportView) => void | Promise<void>;
  /** As `Date.now()` counts. Default: until the run ends. */
  readonly untilMs?: number;
  readonly signal?: AbortSignal;
}

/** Reads a report until its run has ended or the time is up, and passes on every state that it reads. */
export async function followReport(
  client: CouncilClient,
  reportId: number,
  { onReport, untilMs = Number.POSITIVE_INFINITY, signal }: FollowOptions,
): Promise<ReportView> {
  // The first read does not wait, so a caller in mid-stage sees the present progress at once.
  for (let previous: string | null = null; ; ) {
    const secondsLeft = Math.max(0, Math.floor((untilMs - Date.now()) / 1_000));
    const waitSeconds = previous === null ? 0 : Math.min(secondsLeft, followWaitSeconds);
    const report = await readWhenPossible(client, reportId, {
      waitSeconds,
      ...(signal === undefined ? {} : { signal }),
    });
    await onReport(report);
    if (hasEnded(report.status) || secondsLeft === 0) return report;
    const state = JSON.stringify([report.status, report.progress]);
    if (state === previous) await pause(pauseWithoutProgressMs);
    previous = state;
  }
}

/**
 * Other programs of the account may hold as many responses as it can. The report is then read without a wait, after the
 * pause that the API asks for.
 */
async function readWhenPossible(
  client: CouncilClient,
  reportId: number,
  options: { readonly waitSeconds: number; readonly signal?: AbortSignal },
): Promise<ReportView> {
  try {
    return await client.readReport(reportId, options);
  } catch (error) {
    if (options.waitSeconds === 0 || !(error instanceof ApiProblem) || error.code !== 'rate_limited')
      throw error;
    const { retryAfterSeconds } = error;
    // A longer pause is that of another limit.
    if (retryAfterSeconds === null || retryAfterSeconds > followWaitSeconds) throw error;
    await pause(retryAfterSeconds * 1_000);
    return client.readReport(reportId, { ...options, waitSeconds: 0 });
  }
}
