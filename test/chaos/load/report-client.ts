import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CouncilProblem } from '../../../client/council-problem.js';
import { CouncilReports } from '../../../client/council-reports.js';
import type { Lane } from '../../../purchase/purchase.js';
import { type Journal, type Outcome, readOutcome } from '../books/journal.js';
import type { RandomSource } from '../faults/random-source.js';
import type { Customer } from './customers.js';

export interface Purchase {
  readonly customer: Customer;
  readonly eventId: string;
  readonly lane?: Lane | undefined;
  readonly idempotencyKey?: string | null;
  readonly quotedCredits?: number | undefined;
  /** The caller closes the connection after this long. */
  readonly hangUpAfterMs?: number;
}

/** What serves the API. */
interface Addressed {
  readonly url: string;
}

/** Far longer than the service takes to answer. */
const requestTimeoutMs = 30_000;
const retryForMs = 75_000;

/**
 * The customers' HTTP client: sends each request to a random API, and records every response in the journal.
 */
export class ReportClient {
  private readonly apis: readonly Addressed[];
  private readonly random: RandomSource;
  readonly journal: Journal;

  constructor(apis: readonly Addressed[], random: RandomSource, journal: Journal) {
    this.apis = apis;
    this.random = random;
    this.journal = journal;
  }

  /** Sends one purchase request. */
  async buy(purchase: Purchase): Promise<Outcome> {
    const { customer, eventId, idempotencyKey = null } = purchase;
    const sentAt = Date.now();
    const outcome = await this.send(purchase);
    const endedAt = Date.now();
    this.journal.attempts.push({ customer, eventId, idempotencyKey, sentAt, endedAt, outcome });
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

  /** The quoted price; undefined without an answer. */
  async quote({ customer, eventId, lane }: Purchase): Promise<number | undefined> {
    const answer = await this.read(customer, api => api.reports.check(eventId, { lane }));
    return answer?.cost_credits;
  }

  /** Reads a report that the customer owns. */
  async readReport(customer: Customer, reportId: number, waitSeconds: number): Promise<void> {
    const report = await this.read(customer, api => api.reports.get(reportId, { waitSeconds }), true);
    if (report !== null) this.journal.observed.push({ reportId, status: report.status });
  }

  async readBalance(customer: Customer): Promise<void> {
    await this.read(customer, api => api.request('GET /api/credits/balance'));
  }

  /** Creates a batch under one key for the customer. @returns its id; null without an answer */
  async createBatch(
    customer: Customer,
    { eventIds, budget }: { readonly eventIds: readonly string[]; readonly budget: number },
  ): Promise<string | null> {
    const asked = { events: eventIds, lane: 'credits', budget_credits: budget, max_in_flight: 20 } as const;
    const idempotencyKey = `the batch of ${customer.accountId}`;
    const created = await this.read(customer, api => api.batches.create(asked, { idempotencyKey }));
    return created?.batch_id ?? null;
  }

  newKey(): string {
    return randomUUID();
  }

  /** @returns null for no answer, or for a refusal: that of something owned is an anomaly. */
  private async read<Answer>(
    { apiKey }: Customer,
    ask: (api: CouncilReports) => Promise<Answer>,
    isOwned = false,
  ): Promise<Answer | null> {
    try {
      return await ask(new CouncilReports({ baseUrl: this.anyApi(), apiKey, retryWithinSeconds: 0 }));
    } catch (error) {
      if (!(error instanceof CouncilProblem)) throw error;
      const status = error.status ?? 0;
      const isRefused = isOwned && status >= 400 && status < 500;
      if (status === 500 || isRefused) this.journal.anomalies.push(`${status} for a read: ${error.message}`);
      return null;
    }
  }

  private async send(purchase: Purchase): Promise<Outcome> {
    const { customer, eventId, lane, idempotencyKey = null, quotedCredits } = purchase;
    try {
      const response = await fetch(`${this.anyApi()}/api/reports`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': customer.apiKey,
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({ event_id: eventId, lane, quoted_credits: quotedCredits }),
        signal: AbortSignal.timeout(purchase.hangUpAfterMs ?? requestTimeoutMs),
      });
      const text = await response.text();
      const outcome = readOutcome(response.status, response.headers, JSON.parse(text));
      if (outcome.kind === 'refusal' && outcome.code === 'internal') {
        this.journal.anomalies.push('500 for a purchase');
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
