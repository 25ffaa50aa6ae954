import type { z } from 'zod';
import { balanceShape } from '../contract/credits.js';
import { eventListShape, eventShape } from '../contract/events.js';
import { mintedKeyShape } from '../contract/keys.js';
import { checkShape, pricingShape, type ReceiptView, receiptShape } from '../contract/purchase.js';
import { type ReportView, reportShape } from '../contract/reports.js';
import { healthShape } from '../contract/service.js';
import { trackRecordShape } from '../contract/track-record.js';
import type { Lane } from '../purchase/purchase.js';
import { type ApiAddress, ApiProblem, HttpClient, type RequestOptions } from './http-client.js';
import { parseProblem, parseWith } from './parse-with.js';

export interface PurchaseBody {
  readonly event_id: string;
  readonly quoted_credits?: number;
  readonly quoted_usd_cents?: number;
  readonly quoted_pool?: 'weekly_grant' | 'purchased';
  readonly lane?: Lane;
}

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
    this.http = new HttpClient(address, parseProblem);
    this.baseUrl = this.http.baseUrl;
  }

  searchEvents(query: Readonly<Record<string, string | number | undefined>>) {
    return this.request(eventListShape, `/api/events${queryString(query)}`);
  }

  readEvent(eventId: string) {
    return this.request(eventShape, `/api/events/${inPath(eventId)}`);
  }

  readPricing() {
    return this.request(pricingShape, '/api/credits/pricing');
  }

  readBalance() {
    return this.request(balanceShape, '/api/credits/balance');
  }

  readTrackRecord() {
    return this.request(trackRecordShape, '/api/stats/track-record');
  }

  checkReport(eventId: string, lane?: Lane) {
    return this.request(checkShape, `/api/reports/check/${inPath(eventId)}${queryString({ lane })}`);
  }

  /** @param waitSeconds how long the API may hold the response until the report changes */
  readReport(id: number, { waitSeconds = 0, signal }: { waitSeconds?: number; signal?: AbortSignal } = {}) {
    return this.request(reportShape, `/api/reports/${id}`, {
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
  async buyReport(body: PurchaseBody, idempotencyKey: string): Promise<ReceiptView> {
    const options = { method: 'POST', body, headers: { 'idempotency-key': idempotencyKey } } as const;
    const buy = () => this.request(receiptShape, '/api/reports', options);
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
    return this.request(mintedKeyShape, '/api/keys', { method: 'POST', body: { name } });
  }

  /** @throws ApiProblem if the service is not running. */
  async checkHealth(): Promise<void> {
    await this.request(healthShape, '/healthz');
  }

  private request<Answer>(shape: z.ZodType<Answer>, path: string, options: RequestOptions = {}) {
    return this.http.request(parseWith(shape), path, { timeoutMs, ...options });
  }
}

/** The API may have processed the request although no usable response arrived, or says that it does not know. */
function isLost(error: unknown): error is ApiProblem {
  if (!(error instanceof ApiProblem)) return false;
  const isUnanswered = error.code === 'unreachable' || error.code === 'unexpected_answer';
  return isUnanswered || error.document?.outcome === 'unknown';
}

function queryString(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
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
    const hasEnded = report.status === 'completed' || report.status === 'failed';
    if (hasEnded || secondsLeft === 0) return report;
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

/** Through UTF-8, which replaces lone surrogates: `encodeURIComponent` throws on them, and no event has one. */
function inPath(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)));
}
