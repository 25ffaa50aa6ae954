import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Db } from '../../../db/database.js';
import { parseRetryAfter } from '../../../platform/net/retry-after.js';
import { runsPerHour } from '../../../purchase/limits.js';
import { type Caller, seedCallers } from '../services/seed-callers.js';
import { seedEvents } from '../services/seed-events.js';
import type { BenchedService } from '../services/with-service.js';

export interface BoughtReport {
  readonly reportId: number;
  readonly eventId: string;
  readonly apiKey: string;
}

/**
 * Buys fresh reports, each for a different event, with enough accounts to stay below the limit of runs per
 * hour. The service knows all events.
 */
export class ReportBuyer {
  private readonly service: BenchedService;
  private readonly callers: readonly Caller[];
  private bought = 0;
  private readonly waiting = new Map<number, Waiting>();
  /** Number of purchases that were retried because the service responded with 503. */
  refused = 0;

  private constructor(service: BenchedService, callers: readonly Caller[]) {
    this.service = service;
    this.callers = callers;
  }

  /** @param reports The maximum number of purchases. */
  static async create(service: BenchedService, reports: number): Promise<ReportBuyer> {
    const rounds = Math.ceil(reports / (accountsPerRound * runsPerHour));
    const callers = await seedCallers(service.database.db, rounds * accountsPerRound);
    await seedEvents(
      service,
      Array.from({ length: reports }, (_, index) => eventIdOf(index)),
    );
    return new ReportBuyer(service, callers);
  }

  async buy(): Promise<BoughtReport> {
    const index = this.bought++;
    const apiKey = this.callers[accountOf(index)]?.apiKey;
    if (apiKey === undefined) throw new Error('there are not enough accounts for this purchase');
    const eventId = eventIdOf(index);
    for (;;) {
      const response = await fetch(`${this.service.url}/api/reports`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ event_id: eventId }),
      });
      const text = await response.text();
      if (response.ok) return { reportId: receiptShape.parse(JSON.parse(text)).report_id, eventId, apiKey };
      if (response.status !== 503) throw new Error(`a purchase failed with ${response.status}: ${text}`);
      this.refused += 1;
      const retryAfter = response.headers.get('retry-after');
      await pause(parseRetryAfter({ retryAfter }, Date.now()) ?? retryAfterMs);
    }
  }

  /**
   * Resolves when the report has ended. Polls the database with one query for all waiting reports: if each
   * caller polled the API, the benchmark would measure polling.
   */
  untilEnded(reportId: number): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => this.waiting.set(reportId, { resolve, reject }));
    if (this.waiting.size === 1) this.watch().catch(error => this.giveUp(error));
    return ended;
  }

  private async watch(): Promise<void> {
    while (this.waiting.size > 0) {
      for (const id of await endedOf(this.service.database.db, [...this.waiting.keys()])) {
        this.waiting.get(id)?.resolve();
        this.waiting.delete(id);
      }
      await pause(this.waiting.size > fewWaiting ? pollIntervalMs.many : pollIntervalMs.few);
    }
  }

  private giveUp(error: unknown): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/**
 * Purchases of one account are serialized. Therefore this many accounts buy alternately until they reach the
 * limit of runs per hour; then the next group follows.
 */
const accountsPerRound = 100;

function accountOf(purchase: number): number {
  const round = Math.floor(purchase / (accountsPerRound * runsPerHour));
  return round * accountsPerRound + (purchase % accountsPerRound);
}

function eventIdOf(purchase: number): string {
  return String(firstEventId + purchase);
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const firstEventId = 1_000_000;
/** As long as a client waits if the service does not say how long. */
const retryAfterMs = 1_000;
/** With many waiting reports, poll less often: no single report depends on it, and polling costs CPU time. */
const pollIntervalMs = { few: 20, many: 100 };
const fewWaiting = 10;
const receiptShape = z.object({ report_id: z.int() });

async function endedOf(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('reports')
    .select('id')
    .where('id', 'in', ids)
    .where('status', 'in', ['completed', 'failed'])
    .execute();
  return rows.map(({ id }) => id);
}
