import { setTimeout as pause } from 'node:timers/promises';
import { firstEventId } from '../deployment/gamma-stand-in.js';
import type { RandomSource } from '../faults/random-source.js';
import type { Customer } from './customers.js';
import type { Purchase, ReportClient } from './report-client.js';

const everyMs = 380;
const concurrentActionsMax = 60;
/** How many of the newest events other customers may request too. */
const recentEvents = 25;

const actionWeights = {
  fresh: 32,
  requested_by_others: 14,
  same_again: 10,
  rush: 11,
  disconnect: 12,
  read: 16,
  reuse_key: 5,
} as const;

/** Customers that act at a steady rate until a given time. */
export class Load {
  private readonly client: ReportClient;
  private readonly random: RandomSource;
  private readonly customers: readonly Customer[];
  private readonly running = new Set<Promise<void>>();
  private events = 0;
  private next = 0;
  /** Failures of the test suite itself. */
  readonly faults: unknown[] = [];

  constructor(client: ReportClient, random: RandomSource, customers: readonly Customer[]) {
    this.client = client;
    this.random = random;
    this.customers = customers;
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      if (this.running.size < concurrentActionsMax) this.send(this.random.weighted(actionWeights));
      await pause(everyMs);
    }
    await Promise.all(this.running);
  }

  private send(action: keyof typeof actionWeights): void {
    const done = this.actions[action]()
      .catch((error: unknown) => void this.faults.push(error))
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }

  private readonly actions: Readonly<Record<keyof typeof actionWeights, () => Promise<void>>> = {
    /** An event without a report. */
    fresh: () => this.buy(this.nextPurchase(this.newEvent())),
    /** An event that others requested: its report may be complete, in progress or failed. */
    requested_by_others: () => this.buy(this.nextPurchase(this.knownEvent())),
    /** The same event again, by the same customer. */
    same_again: async () => {
      const purchase = this.nextPurchase('');
      const eventId = [...purchase.customer.events.keys()].at(-1);
      if (eventId !== undefined) await this.client.buy({ ...purchase, eventId });
    },
    /** Several requests at once, with one idempotency key, one key each, or none. */
    rush: async () => {
      const purchase = this.nextPurchase(this.random.whether(0.7) ? this.newEvent() : this.knownEvent());
      const shared = this.client.newKey();
      const keys = this.random.pick([() => shared, () => null, () => this.client.newKey()]);
      const times = this.random.between(2, 6);
      await Promise.all(
        Array.from({ length: times }, () =>
          this.client.buyWithRetries({ ...purchase, idempotencyKey: keys() }),
        ),
      );
    },
    /** Closes the connection before the response; some retry with the same key. */
    disconnect: async () => {
      const purchase = { ...this.nextPurchase(this.newEvent()), idempotencyKey: this.client.newKey() };
      await this.client.buy({ ...purchase, hangUpAfterMs: this.random.between(1, 400) });
      if (this.random.whether(0.6)) await this.client.buyWithRetries(purchase);
    },
    read: async () => {
      const { customer } = this.nextPurchase('');
      const mine = [...customer.events.values()].filter(id => id !== null);
      const reportId = mine.at(-1);
      if (reportId === undefined) await this.client.readBalance(customer);
      else await this.client.readReport(customer, reportId, this.random.between(0, 12));
    },
    /** An idempotency key reused for another event. */
    reuse_key: async () => {
      const purchase = { ...this.nextPurchase(this.newEvent()), idempotencyKey: this.client.newKey() };
      await this.client.buyWithRetries(purchase);
      await this.client.buy({ ...purchase, eventId: this.newEvent() });
      await this.client.buy(purchase);
    },
  };

  private async buy(purchase: Purchase): Promise<void> {
    const quotedCredits = this.random.whether(0.3) ? await this.client.quote(purchase) : undefined;
    const attempt = { ...purchase, quotedCredits };
    await (this.random.whether(0.7) ? this.client.buyWithRetries(attempt) : this.client.buy(attempt));
  }

  /** Rotates through the customers, because each may start only a few runs an hour. */
  private nextPurchase(eventId: string): Purchase {
    this.next = (this.next + this.random.between(1, 3)) % this.customers.length;
    const customer = this.customers[this.next];
    if (customer === undefined) throw new Error('there are no customers');
    const idempotencyKey = this.random.whether(0.5) ? this.client.newKey() : null;
    const lane = this.random.whether(0.6) ? customer.lanes.at(-1) : undefined;
    return { customer, eventId, idempotencyKey, lane };
  }

  private newEvent(): string {
    this.events++;
    return String(firstEventId + this.events);
  }

  private knownEvent(): string {
    const [oldest, newest] = [Math.max(1, this.events - recentEvents), Math.max(1, this.events)];
    return String(firstEventId + this.random.between(oldest, newest));
  }
}
