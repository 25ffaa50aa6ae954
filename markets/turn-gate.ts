import type { Venue } from '../council/event.js';
import type { MarketPurpose, MarketRequestOutcome } from '../council/market/market-requests.js';
import { withTimeout } from '../platform/net/with-timeout.js';
import { turnPatienceMs } from '../purchase/limits.js';
import type { RequestGate } from './request-budget.js';

/** Where all processes see whose turn it is (`db/market/venue-turns.ts`). */
export interface TurnStore {
  take(turn: Turn & { readonly leaseMs: number }): Promise<TurnAnswer>;
  end(turn: Turn): Promise<void>;
  pause(pause: { readonly venue: Venue; readonly pauseMs: number }): Promise<void>;
}

interface Turn {
  readonly venue: Venue;
  readonly holder: string;
  readonly spacingMs: number;
}

type TurnAnswer =
  | { readonly state: 'taken' }
  | { readonly state: 'busy' | 'paused'; readonly waitMs: number };

export interface TurnGateOptions {
  readonly venue: Venue;
  /** The time between the end of a request and the beginning of the next. */
  readonly spacingMs: number;
  /** When a turn that nobody has ended is over: later than a request can take. */
  readonly leaseMs: number;
  readonly store: TurnStore;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly onRequest: (purpose: MarketPurpose, outcome: MarketRequestOutcome) => void;
  /** The store could not be used; this process keeps the spacing by itself for some seconds. */
  readonly onStoreError: (error: unknown) => void;
}

/**
 * The gates to a venue that allows one request at a time over all processes. Within a process the most urgent purpose has
 * the next turn; processes have no order among themselves. A request that has waited longer than its purpose has patience
 * is refused with the seconds after which to ask again, and so is every request in a pause. Without the store the promise
 * holds for this process alone.
 */
export function createTurnGates(options: TurnGateOptions): (purpose: MarketPurpose) => RequestGate {
  const queue = new TurnQueue(options);
  return purpose => ({
    admit: async () => {
      const seconds = await queue.admit(purpose);
      if (seconds > 0) options.onRequest(purpose, 'refused');
      return seconds;
    },
    pause: (_endpoint, seconds) => queue.pause(seconds * 1_000),
    ended: outcome => {
      queue.endTurn();
      options.onRequest(purpose, outcome);
    },
  });
}

/** The most urgent first. */
const urgency: readonly MarketPurpose[] = ['purchase', 'run', 'check', 'batch', 'grading', 'browse'];

interface Waiter {
  readonly purpose: MarketPurpose;
  readonly givesUpAtMs: number;
  /** @param seconds 0 if the turn is taken */
  readonly answer: (seconds: number) => void;
}

interface HeldTurn {
  readonly holder: string;
  readonly endsAtMs: number;
  readonly isShared: boolean;
}

class TurnQueue {
  private readonly options: TurnGateOptions;
  private waiting: Waiter[] = [];
  private isWorking = false;
  private held: HeldTurn | null = null;
  private freeFromMs = 0;
  private pausedUntilMs = 0;
  private storeAwayUntilMs = 0;

  constructor(options: TurnGateOptions) {
    this.options = options;
  }

  admit(purpose: MarketPurpose): Promise<number> {
    const pausedMs = this.pausedUntilMs - this.nowMs();
    if (pausedMs > 0) return Promise.resolve(secondsOf(pausedMs));
    return new Promise(answer => {
      this.waiting.push({ purpose, givesUpAtMs: this.nowMs() + turnPatienceMs[purpose], answer });
      void this.work();
    });
  }

  pause(pauseMs: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.nowMs() + pauseMs);
    void this.share(store => store.pause({ venue: this.options.venue, pauseMs }));
  }

  endTurn(): void {
    const { held, options } = this;
    if (held === null) return;
    this.held = null;
    this.freeFromMs = this.nowMs() + options.spacingMs;
    if (held.isShared) void this.share(store => store.end(this.turnOf(held.holder)));
  }

  /** Hands out turns until nobody waits. */
  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    while (this.waiting.length > 0) {
      const waitMs = await this.handOut();
      this.refuseImpatient();
      if (this.waiting.length > 0) await this.options.wait(Math.min(pollMaxMs, Math.max(pollMinMs, waitMs)));
      this.refuseImpatient();
    }
    this.isWorking = false;
  }

  /** Gives the turn to the most urgent request if it is free. @returns how long it is not free at least, in milliseconds */
  private async handOut(): Promise<number> {
    const nowMs = this.nowMs();
    if (this.held !== null && nowMs < this.held.endsAtMs) return pollMaxMs;
    this.held = null;
    if (nowMs < this.freeFromMs) return this.freeFromMs - nowMs;
    const holder = this.options.newId();
    const taken = await this.take(holder);
    if (taken.state === 'paused') this.pausedUntilMs = this.nowMs() + taken.waitMs;
    if (taken.state === 'busy') return taken.waitMs > 0 ? taken.waitMs : pollMaxMs;
    const pausedMs = this.pausedUntilMs - this.nowMs();
    if (taken.state === 'taken') {
      this.held = { holder, endsAtMs: nowMs + this.options.leaseMs, isShared: taken.isShared };
    }
    if (pausedMs > 0) this.refuse(() => true, secondsOf(pausedMs));
    this.refuseImpatient();
    const first = this.mostUrgent();
    if (first === undefined) this.endTurn();
    else this.leave(first, 0);
    return pollMaxMs;
  }

  private async take(holder: string) {
    const turn = { ...this.turnOf(holder), leaseMs: this.options.leaseMs };
    const answer = await this.share(store => store.take(turn));
    if (answer === null) return { state: 'taken', isShared: false } as const;
    return answer.state === 'taken' ? { ...answer, isShared: true } : answer;
  }

  /** @returns null if the store is away */
  private async share<Answer>(use: (store: TurnStore) => Promise<Answer>): Promise<Answer | null> {
    if (this.nowMs() < this.storeAwayUntilMs) return null;
    try {
      return await withTimeout(storePatienceMs, use(this.options.store));
    } catch (error) {
      this.storeAwayUntilMs = this.nowMs() + storeRetriedAfterMs;
      this.options.onStoreError(error);
      return null;
    }
  }

  private mostUrgent(): Waiter | undefined {
    return urgency
      .map(purpose => this.waiting.find(each => each.purpose === purpose))
      .find(first => first !== undefined);
  }

  private refuseImpatient(): void {
    const seconds = secondsOf(this.waiting.length * this.options.spacingMs);
    const nowMs = this.nowMs();
    this.refuse(({ givesUpAtMs }) => givesUpAtMs <= nowMs, seconds);
  }

  private refuse(which: (waiter: Waiter) => boolean, seconds: number): void {
    for (const waiter of this.waiting.filter(which)) this.leave(waiter, seconds);
  }

  private leave(waiter: Waiter, seconds: number): void {
    this.waiting = this.waiting.filter(each => each !== waiter);
    waiter.answer(seconds);
  }

  private turnOf(holder: string): Turn {
    return { venue: this.options.venue, holder, spacingMs: this.options.spacingMs };
  }

  private nowMs(): number {
    return this.options.now().getTime();
  }
}

/** How often the store is asked for the turn of another process that may end at any time. */
const pollMaxMs = 100;
const pollMinMs = 10;
const storePatienceMs = 1_000;
const storeRetriedAfterMs = 5_000;

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
