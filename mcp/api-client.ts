import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { balanceShape } from '../contract/credits.js';
import { eventListShape, eventShape } from '../contract/events.js';
import { checkShape, pricingShape, receiptShape } from '../contract/purchase.js';
import { reportShape } from '../contract/reports.js';
import { problemShape } from '../contract/service.js';
import { trackRecordShape } from '../contract/track-record.js';
import type { Lane } from '../council/purchase/purchase.js';
import { ToolProblem } from './tools/tool-problem.js';

/** Where the API is, and what every request to it carries: the caller's own credential, if there is one. */
export interface ApiAddress {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Longer than the API takes to answer that it cannot; three of them still fit before a client's usual 60 seconds. */
const answerWithinMs = 10_000;
const retryPurchaseAfterMs = 250;

/**
 * The public API as these tools see it: what comes back is parsed by the contract, and everything else is thrown as a
 * `ToolProblem`. A redirect is an error, so that the caller's key goes nowhere but where it was meant to.
 */
export class ApiClient {
  private readonly address: ApiAddress;

  constructor(address: ApiAddress) {
    this.address = { ...address, baseUrl: address.baseUrl.replace(/\/+$/, '') };
  }

  searchEvents(query: Readonly<Record<string, string | number | undefined>>) {
    return this.read(eventListShape, `/api/events${queryOf(query)}`);
  }

  readEvent(eventId: string) {
    return this.read(eventShape, `/api/events/${encodeURIComponent(eventId)}`);
  }

  readPricing() {
    return this.read(pricingShape, '/api/credits/pricing');
  }

  readBalance() {
    return this.read(balanceShape, '/api/credits/balance');
  }

  readTrackRecord() {
    return this.read(trackRecordShape, '/api/stats/track-record');
  }

  checkReport(eventId: string, lane: Lane | undefined) {
    return this.read(checkShape, `/api/reports/check/${encodeURIComponent(eventId)}${queryOf({ lane })}`);
  }

  /** @param waitSeconds how long the answer may be held back until something has changed. */
  readReport(id: number, { waitSeconds, signal }: { waitSeconds: number; signal: AbortSignal }) {
    return this.read(reportShape, `/api/reports/${id}`, {
      headers: waitSeconds > 0 ? { prefer: `wait=${waitSeconds}` } : {},
      timeoutMs: answerWithinMs + waitSeconds * 1_000,
      signal,
    });
  }

  /**
   * An answer that gets lost is asked for once more under the same Idempotency-Key, which is charged once.
   * @throws ToolProblem `purchase_unknown` where no answer can be had
   */
  async buyReport(wish: { event_id: string; quoted_credits: number; lane: Lane }, idempotencyKey: string) {
    const ask = { method: 'POST', body: wish, headers: { 'idempotency-key': idempotencyKey } } as const;
    const buy = () => this.read(receiptShape, '/api/reports', ask);
    try {
      return await buy().catch(async (error: unknown) => {
        if (!isLost(error)) throw error;
        await pause(retryPurchaseAfterMs);
        return buy();
      });
    } catch (error) {
      if (!isLost(error)) throw error;
      throw new ToolProblem(
        'purchase_unknown',
        'The service was asked to make the report, and no answer came.',
      );
    }
  }

  /** @throws ToolProblem where there is no service. */
  async reach(): Promise<void> {
    await this.read(z.object({ status: z.string() }), '/healthz');
  }

  private async read<Shape extends z.ZodType>(shape: Shape, path: string, ask: Ask = {}) {
    const response = await this.send(path, ask);
    if (!response.ok) throw await readProblem(response);
    const parsed = shape.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    throw new ToolProblem(
      'unexpected_answer',
      `The service answered in a form that is not known here${where}.`,
    );
  }

  private async send(path: string, ask: Ask): Promise<Response> {
    const { method = 'GET', body, headers, signal, timeoutMs = answerWithinMs } = ask;
    const timeout = AbortSignal.timeout(timeoutMs);
    const init = {
      method,
      redirect: 'error' as const,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: {
        ...this.address.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const url = this.address.baseUrl + path;
    try {
      return await fetch(url, init).catch((error: unknown) => {
        // A kept connection may be closed by the other side at the very moment it is used again.
        if (method === 'GET' && !init.signal.aborted) return fetch(url, init);
        throw error;
      });
    } catch {
      throw new ToolProblem('unreachable', 'The service cannot be reached, or did not answer in time.');
    }
  }
}

/** What is left unsaid by these two may have happened all the same. */
function isLost(error: unknown): boolean {
  return error instanceof ToolProblem && (error.code === 'unreachable' || error.code === 'unexpected_answer');
}

function queryOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

/** An answer outside 2xx, as the problem that a tool answers with. */
async function readProblem(response: Response): Promise<ToolProblem> {
  const parsed = problemShape.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return new ToolProblem('unexpected_answer', `The service answered ${response.status}, and not why.`);
  }
  const { type: _type, title: _title, status: _status, code, detail, ...data } = parsed.data;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ToolProblem(code, detail, {
    ...data,
    ...(Number.isInteger(seconds) ? { retry_after_seconds: seconds } : {}),
  });
}
