import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { MarketAnswerOrigin } from '../../council/market/market-requests.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import {
  marketAnswerFreshSeconds,
  marketAnswerStaleSeconds,
  marketQuestionMaxSeconds,
  marketUnknownFreshSeconds,
} from '../../purchase/limits.js';
import { MarketBudgetSpent, MarketUnavailable } from '../event-source.js';
import type { Admit, Reading } from '../venue-reader.js';

export interface SharedAnswersOptions {
  readonly store: AnswerStore;
  readonly now: () => Date;
  readonly onAnswer: (origin: MarketAnswerOrigin) => void;
  /** The store could not be used; this process goes on with what it keeps itself. */
  readonly onStoreError: (error: unknown) => void;
}

export interface Question {
  readonly text: string;
  /** Callers join only a reading of the same purpose: the budget may refuse one and admit the other. */
  readonly purpose: string;
  /** Whether an answer that is no longer fresh will do if the market cannot be read. */
  readonly staleWillDo: boolean;
  /** Runs before the caller has the market read, or joins a reading; throws to refuse. */
  readonly admit?: Admit | undefined;
}

/** An answer with its place in the order in which this process was asked and read; 0 if another process read it. */
interface Answer extends KeptAnswer {
  readonly begun: number;
}

/**
 * Asks each question at most once in 30 seconds, about an unknown event once a minute, for all callers of this process, and of all processes that share the
 * store. Also a failure answers everybody who asks, until the market may be asked again. Without the store, the promise
 * holds for this process alone.
 */
export class SharedAnswers {
  private readonly options: SharedAnswersOptions;
  private readonly kept = new LRUCache<string, Answer>({
    maxSize: keptMaxChars,
    // Otherwise millions of unknown events would fit.
    sizeCalculation: ({ json }) => json.length + keptOverheadChars,
  });
  private readonly failures = new LRUCache<string, { readonly reason: string; readonly untilMs: number }>({
    max: failuresMax,
  });
  private readonly readings = new Map<string, Promise<Answer>>();
  private storeAwayUntilMs = 0;
  /** Counts askings and readings. Two times of a clock can be equal. */
  private turn = 0;

  constructor(options: SharedAnswersOptions) {
    this.options = options;
  }

  /** @throws MarketUnavailable if the market cannot be read and no answer will do */
  async ask<Value>(question: Question, read: () => Promise<Value>): Promise<Reading<Value>> {
    const asked = ++this.turn;
    const key = createHash('sha256').update(question.text).digest('base64url');
    const known = this.kept.get(key);
    if (known !== undefined && this.isFresh(known)) return this.reading(known, asked, 'kept');
    try {
      await question.admit?.();
      const answer = await this.join(`${question.purpose} ${key}`, () => this.obtain(key, read));
      return this.reading(answer, asked, answer.begun > asked ? 'market' : 'kept');
    } catch (error) {
      if (!(error instanceof MarketUnavailable)) throw error;
      const stale = question.staleWillDo ? this.kept.get(key) : undefined;
      if (stale !== undefined && this.ageMs(stale) <= marketAnswerStaleSeconds * 1_000)
        return this.reading(stale, asked, 'stale');
      this.options.onAnswer('unavailable');
      throw error;
    }
  }

  private join(key: string, begin: () => Promise<Answer>): Promise<Answer> {
    const running = this.readings.get(key);
    if (running !== undefined) return running;
    const begun = begin().finally(() => this.readings.delete(key));
    this.readings.set(key, begun);
    return begun;
  }

  /** Reads the market, or waits for the process that does. */
  private async obtain(key: string, read: () => Promise<unknown>): Promise<Answer> {
    this.throwFailure(key);
    for (const startedMs = performance.now(); ; await pause(pollMs)) {
      const claim = await this.inStore(store => store.claim(key, this.claimTimes()));
      if (claim === null || claim.state === 'claimed') {
        if (claim?.kept != null) this.keep(key, { ...claim.kept, begun: 0 });
        return this.readMarket(key, read);
      }
      if (claim.kept !== null) this.keep(key, { ...claim.kept, begun: 0 });
      if (claim.state === 'fresh') return { ...claim.kept, begun: 0 };
      if (claim.state === 'failed') this.fail(key, failedElsewhere, claim.retryAt);
      this.throwFailure(key);
      if (performance.now() - startedMs > marketQuestionMaxSeconds * 1_000)
        throw new MarketUnavailable('Another process has not read the market in time.');
    }
  }

  private claimTimes() {
    const nowMs = this.nowMs();
    return {
      now: new Date(nowMs),
      freshAfter: new Date(nowMs - marketAnswerFreshSeconds * 1_000),
      unknownFreshAfter: new Date(nowMs - marketUnknownFreshSeconds * 1_000),
      claimedUntil: new Date(nowMs + (marketQuestionMaxSeconds + claimGraceSeconds) * 1_000),
    };
  }

  private async readMarket(key: string, read: () => Promise<unknown>): Promise<Answer> {
    const readAt = this.options.now();
    const begun = ++this.turn;
    try {
      const value = await withTimeout(marketQuestionMaxSeconds * 1_000, read(), tooSlow);
      const answer = { json: JSON.stringify(value), readAt, begun };
      this.keep(key, answer);
      await this.inStore(store =>
        answer.json.length <= sharedMaxChars ? store.save(key, answer) : store.release(key, null),
      );
      return answer;
    } catch (error) {
      const retryAt = retryTime(error, this.nowMs());
      await this.inStore(store => store.release(key, retryAt));
      if (error instanceof MarketUnavailable && retryAt !== null) this.fail(key, error.message, retryAt);
      throw error;
    }
  }

  private fail(key: string, reason: string, retryAt: Date): void {
    this.failures.set(key, { reason, untilMs: retryAt.getTime() });
  }

  /** @throws MarketUnavailable while the market may not be asked again */
  private throwFailure(key: string): void {
    const { reason = '', untilMs = 0 } = this.failures.get(key) ?? {};
    const leftMs = untilMs - this.nowMs();
    if (leftMs > 0) throw new MarketUnavailable(reason, Math.ceil(leftMs / 1_000));
  }

  /** @returns null if the store cannot be used, which is tried again after some seconds */
  private async inStore<Result>(use: (store: AnswerStore) => Promise<Result>): Promise<Result | null> {
    if (this.nowMs() < this.storeAwayUntilMs) return null;
    try {
      return await use(this.options.store);
    } catch (error) {
      this.storeAwayUntilMs = this.nowMs() + storeAwaySeconds * 1_000;
      this.options.onStoreError(error);
      return null;
    }
  }

  private keep(key: string, answer: Answer): void {
    const known = this.kept.get(key);
    if (known === undefined || known.readAt < answer.readAt) this.kept.set(key, answer);
  }

  private reading<Value>(answer: Answer, asked: number, origin: MarketAnswerOrigin): Reading<Value> {
    this.options.onAnswer(origin);
    return {
      value: JSON.parse(answer.json),
      ageSeconds: Math.max(0, Math.floor(this.ageMs(answer) / 1_000)),
      isLive: answer.begun > asked,
    };
  }

  private isFresh(answer: KeptAnswer): boolean {
    const freshSeconds = answer.json === unknown ? marketUnknownFreshSeconds : marketAnswerFreshSeconds;
    return this.ageMs(answer) < freshSeconds * 1_000;
  }

  private ageMs({ readAt }: KeptAnswer): number {
    return this.nowMs() - readAt.getTime();
  }

  private nowMs(): number {
    return this.options.now().getTime();
  }
}

/** What an answer takes besides its text. */
const keptOverheadChars = 200;
/** The size of all answers that a process keeps. */
const keptMaxChars = 32 * 1024 * 1024;
/** A larger answer is kept by the process that read it and not shared. */
const sharedMaxChars = 4 * 1024 * 1024;
const failuresMax = 1_000;
/** How often a process looks whether another one has read the market. */
const pollMs = 50;
/** The time between the end of a reading and the end of its claim, for storing the answer. */
const claimGraceSeconds = 3;
const storeAwaySeconds = 5;

/** The answer about an event that the market does not know. */
const unknown = 'null';

const failedElsewhere = 'The market could not be read a moment ago.';

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');

/** When the market may be asked again; null: at once, because it was not asked, or because the error is our own. */
function retryTime(error: unknown, nowMs: number): Date | null {
  if (!(error instanceof MarketUnavailable) || error instanceof MarketBudgetSpent) return null;
  return new Date(nowMs + error.retryAfterSeconds * 1_000);
}

/** Answers of the market that all API processes share, and who is reading which. */
export interface AnswerStore {
  /**
   * Takes the right to read the market for a question, unless an answer is fresh, another process is reading, or the
   * market failed a moment ago.
   */
  claim(question: string, times: ClaimTimes): Promise<Claim>;
  /** Stores an answer and ends the claim. An older answer never replaces a newer one. */
  save(question: string, answer: KeptAnswer): Promise<void>;
  /** Ends the claim without an answer. @param retryAt when the market may be asked again; null: at once */
  release(question: string, retryAt: Date | null): Promise<void>;
}

export interface ClaimTimes {
  readonly now: Date;
  /** An answer read after this time is fresh. */
  readonly freshAfter: Date;
  /** The same of the answer `null`: the market does not know the event. */
  readonly unknownFreshAfter: Date;
  /** When a process that does not come back loses its claim. */
  readonly claimedUntil: Date;
}

export interface KeptAnswer {
  readonly json: string;
  /** When the reading began. */
  readonly readAt: Date;
}

/** `kept`: the last answer, fresh or not; null if there is none. */
export type Claim =
  | { readonly state: 'claimed' | 'busy'; readonly kept: KeptAnswer | null }
  | { readonly state: 'fresh'; readonly kept: KeptAnswer }
  | { readonly state: 'failed'; readonly kept: KeptAnswer | null; readonly retryAt: Date };
