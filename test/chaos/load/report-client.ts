import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lane } from '../../../purchase/purchase.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { type Journal, type Outcome, type PurchaseAttempt, readOutcome } from '../books/journal.js';
import type { RandomSource } from '../faults/random-source.js';
import type { Customer } from './customers.js';

export interface Purchase {
  readonly customer: Customer;
  readonly eventId: string;
  readonly lane?: Lane | null;
  readonly idempotencyKey?: string | null;
  readonly quotedCredits?: number | null;
  /** The caller closes the connection after this long. */
  readonly hangUpAfterMs?: number;
}

/** Far longer than the service takes to answer. */
const requestTimeoutMs = 30_000;
const retryForMs = 75_000;

/**
 * The customers' HTTP client: sends each request to a random API, and records every response in the journal.
 */
export class ReportClient {
  private readonly apis: readonly ServiceProcess[];
  private readonly random: RandomSource;
  readonly journal: Journal;

  constructor(apis: readonly ServiceProcess[], random: RandomSource, journal: Journal) {
    this.apis = apis;
    this.random = random;
    this.journal = journal;
  }

  /** Sends one purchase request. */
  async buy(purchase: Purchase): Promise<Outcome> {
    const { customer, eventId, lane = null, idempotencyKey = null, quotedCredits = null } = purchase;
    const sentAt = Date.now();
    const outcome = await this.post(customer, '/api/reports', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({
        event_id: eventId,
        ...(lane === null ? {} : { lane }),
        ...(quotedCredits === null ? {} : { quoted_credits: quotedCredits }),
      }),
      signal: AbortSignal.timeout(purchase.hangUpAfterMs ?? requestTimeoutMs),
    });
    const attempt: PurchaseAttempt = {
      customer,
      eventId,
      lane,
      idempotencyKey,
      sentAt,
      endedAt: Date.now(),
      outcome,
    };
    this.journal.attempts.push(attempt);
    const before = customer.events.get(eventId) ?? null;
    customer.events.set(eventId, outcome.kind === 'receipt' ? outcome.receipt.report_id : before);
    return outcome;
  }

  /** Repeats the request, as a client should, until the purchase is accepted or refused. */
  async buyWithRetries(purchase: Purchase): Promise<Outcome> {
    const deadline = Date.now() + retryForMs;
    for (;;) {
      const outcome = await this.buy(purchase);
      if (!mayPass(outcome) || Date.now() > deadline) return outcome;
      await pause(this.random.between(300, 3_000));
    }
  }

  /** The quoted price; null without an answer. */
  async quote({ customer, eventId, lane = null }: Purchase): Promise<number | null> {
    const query = lane === null ? '' : `?lane=${lane}`;
    const answer = await this.get(customer, `/api/reports/check/${eventId}${query}`);
    return answer?.status === 200 ? Number(answer.body.cost_credits) : null;
  }

  /** Reads a report that the customer owns. */
  async readReport(customer: Customer, reportId: number, waitSeconds: number): Promise<void> {
    const answer = await this.get(customer, `/api/reports/${reportId}`, { prefer: `wait=${waitSeconds}` });
    if (answer === null) return;
    const { status, body } = answer;
    if (status === 200) this.journal.observed.push({ customer, reportId, status: body.status });
    else if (status < 500) this.journal.anomalies.push(`${status} for the customer's own report ${reportId}`);
  }

  /** @returns null for no answer. */
  async get(customer: Customer, path: string, headers: Record<string, string> = {}) {
    try {
      const response = await fetch(this.anyApi() + path, {
        headers: { 'x-api-key': customer.apiKey, ...headers },
        signal: AbortSignal.timeout(requestTimeoutMs + 30_000),
      });
      const body: any = await response.json();
      if (response.status === 500) this.journal.anomalies.push(`500 for GET ${path.replace(/\d+/g, 'N')}`);
      return { status: response.status, body };
    } catch {
      return null;
    }
  }

  newKey(): string {
    return randomUUID();
  }

  private async post(
    customer: Customer,
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<Outcome> {
    try {
      const headers = { ...init.headers, 'x-api-key': customer.apiKey };
      const response = await fetch(this.anyApi() + path, { ...init, headers });
      const text = await response.text();
      const outcome = readOutcome(response.status, response.headers, JSON.parse(text));
      if (outcome.kind === 'refusal' && outcome.code === 'internal') {
        this.journal.anomalies.push(`500 for POST ${path}`);
      }
      return outcome;
    } catch (error) {
      return { kind: 'silence', why: whyOf(error) };
    }
  }

  private anyApi(): string {
    return this.random.pick(this.apis).url;
  }
}

/** An event whose runs have failed is refused for a quarter of an hour: no caller waits for that. */
function mayPass(outcome: Outcome): boolean {
  if (outcome.kind !== 'refusal') return outcome.kind === 'silence';
  return outcome.status >= 500 && outcome.retryAfterSeconds * 1_000 < retryForMs;
}

/** Why there was no answer. Throws anything that is not a network failure. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'TimeoutError') return 'hung up';
  if (error.name === 'TypeError') return 'connection broke';
  throw error;
}
