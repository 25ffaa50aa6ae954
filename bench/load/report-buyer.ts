import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { runsPerHour } from '../../council/limits.js';
import type { Db } from '../../db/database.js';
import { type Caller, seedCallers } from '../services/seed-callers.js';
import type { BenchedService } from '../services/with-service.js';

export interface BoughtReport {
  readonly reportId: number;
  readonly eventId: string;
  readonly apiKey: string;
}

/** Buys fresh reports, each on an event of its own, for as many accounts as the limit on runs an hour asks for. */
export class ReportBuyer {
  private readonly service: BenchedService;
  private readonly callers: readonly Caller[];
  private bought = 0;
  private readonly waiting = new Map<number, Waiting>();
  /** How often a purchase had to be tried again because the service said that it was busy. */
  refused = 0;

  private constructor(service: BenchedService, callers: readonly Caller[]) {
    this.service = service;
    this.callers = callers;
  }

  /** @param reports how many it will be able to buy. */
  static async for(service: BenchedService, reports: number): Promise<ReportBuyer> {
    const rounds = Math.ceil(reports / (accountsPerRound * runsPerHour));
    const callers = await seedCallers(service.database.db, rounds * accountsPerRound);
    return new ReportBuyer(service, callers);
  }

  async buy(): Promise<BoughtReport> {
    const index = this.bought++;
    const apiKey = this.callers[accountOf(index)]?.apiKey;
    if (apiKey === undefined) throw new Error('more reports were bought than accounts were made for');
    const eventId = String(firstEvent + index);
    for (;;) {
      const response = await fetch(`${this.service.url}/api/reports`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ event_id: eventId }),
      });
      const text = await response.text();
      if (response.ok) return { reportId: receiptShape.parse(JSON.parse(text)).report_id, eventId, apiKey };
      if (response.status !== 503) throw new Error(`a purchase was answered ${response.status}: ${text}`);
      this.refused += 1;
    }
  }

  /**
   * Resolves once the report has ended. The database is asked, with one question for all reports that are waited for:
   * thousands of callers who poll would be a measurement of polling.
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
 * Purchases of one account wait for each other. So many accounts buy in turns, all that the limit leaves them, and then as many others: a
 * caller is as a rule not in the way of the next.
 */
const accountsPerRound = 100;

function accountOf(purchase: number): number {
  const round = Math.floor(purchase / (accountsPerRound * runsPerHour));
  return round * accountsPerRound + (purchase % accountsPerRound);
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const firstEvent = 1_000_000;
/** Where many wait nobody's turn hangs on a look, and looking takes of the machine that is measured. */
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
