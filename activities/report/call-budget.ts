import { z } from 'zod';

/**
 * The time that a member has at one stage, over all attempts of its activity. It passes while the vendor has a request,
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

  /** @param heartbeatDetails those of the previous attempt; anything else counts as nothing spent */
  constructor(budgetMs: number, heartbeatDetails: unknown, nowMs: () => number) {
    this.budgetMs = budgetMs;
    this.nowMs = nowMs;
    this.before = spentShape.safeParse(heartbeatDetails).data ?? { spentMs: 0, failedCalls: 0 };
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
    };
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
});

type Spent = Readonly<z.output<typeof spentShape>>;

const firstPauseMs = 500;
const pauseMaxMs = 8_000;
