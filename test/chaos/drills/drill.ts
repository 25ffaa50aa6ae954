import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../books/journal.js';
import type { Deployment } from '../deployment/deployment.js';
import { firstEventId, soonOverEvery } from '../deployment/gamma-stand-in.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import type { Customer } from '../load/customers.js';
import type { Load } from '../load/load.js';
import type { ReportClient } from '../load/report-client.js';

/** One fault that is injected on purpose, with its own checks. */
export interface Drill {
  readonly name: string;
  /** How many customers with credits it needs. */
  readonly customers: number;
  /** For how long it runs the common load. */
  readonly loadMinutes: number;
  readonly run: (world: DrillWorld) => Promise<DrillResult>;
}

export interface DrillWorld {
  readonly deployment: Deployment;
  readonly injector: FaultInjector;
  readonly load: Load;
  readonly callers: Callers;
}

export interface DrillResult {
  /** What was measured, one sentence each. */
  readonly figures: readonly string[];
  readonly faults: readonly string[];
}

/** Each drill has events of its own, above those of the common load. */
const eventsPerDrill = 100_000;
const readWaitSeconds = 10;
const refusedPauseMs = 500;

/** Customers of a drill. Each purchase is one of another customer, for another event. */
export class Callers {
  readonly client: ReportClient;
  private readonly customers: readonly Customer[];
  private bought = 0;
  private lastEvent: number;

  /** @param drill the number of the drill in this run, from 1 */
  constructor(client: ReportClient, customers: readonly Customer[], drill: number) {
    this.client = client;
    this.customers = customers;
    this.lastEvent = firstEventId + drill * eventsPerDrill;
  }

  /** The next customer with the next event. */
  next(): { readonly customer: Customer; readonly eventId: string } {
    const customer = this.customers[this.bought++ % this.customers.length];
    if (customer === undefined) throw new Error('the drill has no customers');
    do this.lastEvent++;
    while (this.lastEvent % soonOverEvery === 0);
    return { customer, eventId: String(this.lastEvent) };
  }

  /** One request, without a retry. */
  async buyOnce(): Promise<Outcome> {
    return this.client.buy(this.next());
  }

  /** As many callers at once: each buys a report, waits for it, and buys the next. */
  async keepBuying(callers: number, isOver: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.buyInTurn(isOver)));
  }

  private async buyInTurn(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const purchase = this.next();
      const outcome = await this.client.buyWithRetries(purchase);
      if (outcome.kind === 'receipt') {
        await this.client.readReport(purchase.customer, outcome.receipt.report_id, readWaitSeconds);
      } else await pause(refusedPauseMs);
    }
  }
}

export function isSold(outcome: Outcome): boolean {
  return outcome.kind === 'receipt';
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** The sentence, if the condition does not hold. */
export function unless(holds: boolean, fault: string): string[] {
  return holds ? [] : [fault];
}
