import { z } from 'zod';

/**
 * The time, and the room for its answer, that a member has at one stage, over all attempts of its activity. It passes while the vendor has a request,
 * and during the pause before the next request. It stands still while we wait for a worker, for the database, or for
 * another attempt after a worker was lost: a member is lost by its own time-out only.
 *
 * Each heartbeat carries what is spent, and the next attempt continues from the last heartbeat. Durations only, so that
 * workers with different clocks can continue each other's attempts.
 */
export class CallBudget {
  private readonly budgetMs: number;
  private readonly nowMs: () => number;
  private readonly before: Spent;
  private pausedMs = 0;
  private failedCalls = 0;
  private calledMs = 0;
  private callingSinceMs: number | null = null;
  private moreRoom: boolean;

  /** @param heartbeatDetails those of the previous attempt; anything else counts as nothing spent */
  constructor(budgetMs: number, heartbeatDetails: unknown, nowMs: () => number) {
    this.budgetMs = budgetMs;
    this.nowMs = nowMs;
    this.before = spentShape.safeParse(heartbeatDetails).data ?? nothingSpent;
    this.moreRoom = this.before.moreRoom;
  }

  leftMs(): number {
    return this.budgetMs - this.spent().spentMs;
  }

  /** Milliseconds of this attempt in which the vendor had a request. */
  calledInAttemptMs(): number {
    if (this.callingSinceMs === null) return this.calledMs;
    // A clock that is set back must not give time to the member.
    return this.calledMs + Math.max(0, this.nowMs() - this.callingSinceMs);
  }

  /** What the next attempt has to know. */
  spent(): Spent {
    return {
      spentMs: this.before.spentMs + this.calledInAttemptMs() + this.pausedMs,
      failedCalls: this.before.failedCalls + this.failedCalls,
      moreRoom: this.moreRoom,
    };
  }

  /** Whether calls get more room for their answer, because one was cut off at its limit. */
  hasMoreRoom(): boolean {
    return this.moreRoom;
  }

  /**
   * Grants more room after an answer that was cut off, once for all attempts, if time for another call is left.
   * @returns whether the call is worth repeating
   */
  takeMoreRoom(): boolean {
    if (this.moreRoom || this.leftMs() <= 0) return false;
    this.moreRoom = true;
    return true;
  }

  /** Makes a call, whose time counts. */
  async during<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    this.callingSinceMs = this.nowMs();
    try {
      return await call();
    } finally {
      this.calledMs = this.calledInAttemptMs();
      this.callingSinceMs = null;
    }
  }

  /**
   * Spends the pause before another call: as long as the vendor asked for, and longer after each failed call if it
   * asked for none.
   * @returns its milliseconds; null, with nothing spent, when no time for a call is left after it
   */
  takePause(askedForMs: number | null): number | null {
    const { failedCalls } = this.spent();
    const pauseMs = askedForMs || Math.min(firstPauseMs * 2 ** failedCalls, pauseMaxMs);
    if (pauseMs >= this.leftMs()) return null;
    this.pausedMs += pauseMs;
    this.failedCalls += 1;
    return pauseMs;
  }
}

const spentShape = z.object({
  spentMs: z.number().nonnegative(),
  failedCalls: z.int().nonnegative(),
  moreRoom: z.boolean().default(false),
});

type Spent = Readonly<z.output<typeof spentShape>>;

const nothingSpent: Spent = { spentMs: 0, failedCalls: 0, moreRoom: false };

const firstPauseMs = 500;
const pauseMaxMs = 8_000;
