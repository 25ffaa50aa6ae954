import { setTimeout as pause } from 'node:timers/promises';
import { firstEventId } from '../stage/gamma-stand-in.js';
import type { Chance } from '../storm/chance.js';
import type { Customer } from './customers.js';
import type { Asking, Shop } from './shop.js';

const everyMs = 380;
const errandsAtOnceMax = 60;
/** New events of late, which others may want as well. */
const talkedAbout = 25;

const errands = {
  fresh: 32,
  talked_about: 14,
  once_more: 10,
  rush: 11,
  walk_away: 12,
  look: 16,
  reuse_key: 5,
} as const;

/** Callers who come and go, at a steady pace, until they are sent home. */
export class Load {
  private readonly shop: Shop;
  private readonly chance: Chance;
  private readonly customers: readonly Customer[];
  private readonly underway = new Set<Promise<void>>();
  private events = 0;
  private turn = 0;
  /** What went wrong in the suite itself. */
  readonly faults: unknown[] = [];

  constructor(shop: Shop, chance: Chance, customers: readonly Customer[]) {
    this.shop = shop;
    this.chance = chance;
    this.customers = customers;
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      if (this.underway.size < errandsAtOnceMax) this.send(this.chance.weighted(errands));
      await pause(everyMs);
    }
    await Promise.all(this.underway);
  }

  private send(errand: keyof typeof errands): void {
    const done = this.does[errand]()
      .catch((error: unknown) => void this.faults.push(error))
      .finally(() => this.underway.delete(done));
    this.underway.add(done);
  }

  private readonly does: Readonly<Record<keyof typeof errands, () => Promise<void>>> = {
    /** Nobody has asked for it yet. */
    fresh: () => this.buy(this.asking(this.newEvent())),
    /** Others have asked for it: it may be there, be on its way, or have failed. */
    talked_about: () => this.buy(this.asking(this.knownEvent())),
    /** The same customer, the same event. */
    once_more: async () => {
      const asking = this.asking('');
      const eventId = [...asking.customer.events.keys()].at(-1);
      if (eventId !== undefined) await this.shop.ask({ ...asking, eventId });
    },
    /** Several at once, with one key, with a key each, or with none. */
    rush: async () => {
      const asking = this.asking(this.chance.whether(0.7) ? this.newEvent() : this.knownEvent());
      const shared = this.shop.newKey();
      const keys = this.chance.pick([() => shared, () => null, () => this.shop.newKey()]);
      const times = this.chance.between(2, 6);
      await Promise.all(
        Array.from({ length: times }, () => this.shop.persist({ ...asking, idempotencyKey: keys() })),
      );
    },
    /** Hangs up before the answer; some ask again, with the same key. */
    walk_away: async () => {
      const asking = { ...this.asking(this.newEvent()), idempotencyKey: this.shop.newKey() };
      await this.shop.ask({ ...asking, hangUpAfterMs: this.chance.between(1, 400) });
      if (this.chance.whether(0.6)) await this.shop.persist(asking);
    },
    look: async () => {
      const { customer } = this.asking('');
      const mine = [...customer.events.values()].filter(id => id !== null);
      const reportId = mine.at(-1);
      if (reportId === undefined) await this.shop.get(customer, '/api/credits/ledger');
      else await this.shop.look(customer, reportId, this.chance.between(0, 12));
    },
    /** A key that was used for another wish. */
    reuse_key: async () => {
      const asking = { ...this.asking(this.newEvent()), idempotencyKey: this.shop.newKey() };
      await this.shop.persist(asking);
      await this.shop.ask({ ...asking, eventId: this.newEvent() });
      await this.shop.ask(asking);
    },
  };

  private async buy(asking: Asking): Promise<void> {
    const quotedCredits = this.chance.whether(0.3) ? await this.shop.price(asking) : null;
    const wish = { ...asking, quotedCredits };
    await (this.chance.whether(0.7) ? this.shop.persist(wish) : this.shop.ask(wish));
  }

  /** Customers take turns, for nobody may begin more than a few runs an hour. */
  private asking(eventId: string): Asking {
    this.turn = (this.turn + this.chance.between(1, 3)) % this.customers.length;
    const customer = this.customers[this.turn];
    if (customer === undefined) throw new Error('there are no customers');
    const idempotencyKey = this.chance.whether(0.5) ? this.shop.newKey() : null;
    const lane = this.chance.whether(0.6) ? (customer.lanes.at(-1) ?? null) : null;
    return { customer, eventId, idempotencyKey, lane };
  }

  private newEvent(): string {
    this.events++;
    return String(firstEventId + this.events);
  }

  private knownEvent(): string {
    const newest = this.events;
    return String(firstEventId + this.chance.between(Math.max(1, newest - talkedAbout), Math.max(1, newest)));
  }
}
