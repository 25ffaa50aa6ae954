import { Semaphore } from 'async-mutex';
import { freePlace, type HeldPlace, takePlace } from '../../db/reports/held-answers.js';
import {
  heldAnswerRetrySeconds,
  heldAnswersPerAccount,
  heldAnswersPerProcess,
} from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** Bounds how many responses are held, and what they read when something changes. */
export interface HeldAnswers {
  /**
   * Takes a place. @returns frees it
   * @throws Problem `rate_limited` if the account holds ten, `unavailable` if this process holds a thousand
   */
  readonly hold: (place: HeldPlace) => Promise<() => Promise<void>>;
  /** Reads for a held response, a few of them at once. */
  readonly read: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * After an outage of notifications, all held responses read their reports. They must not take all connections of the
 * pool from other requests.
 */
const readsAtOnceMax = 5;

/**
 * Counts in memory first, so that a flood of one account costs no query, and then in the database, where all API
 * processes count together.
 */
export function createHeldAnswers({
  db,
  now,
  metrics,
}: Pick<ApiContext, 'db' | 'now' | 'metrics'>): HeldAnswers {
  const heldByAccount = new Map<string, number>();
  const reads = new Semaphore(readsAtOnceMax);
  let held = 0;

  function count(accountId: string, change: 1 | -1): void {
    const ofAccount = (heldByAccount.get(accountId) ?? 0) + change;
    if (ofAccount === 0) heldByAccount.delete(accountId);
    else heldByAccount.set(accountId, ofAccount);
    held += change;
    metrics.heldAnswers.set(held);
  }

  return {
    hold: async place => {
      if (held >= heldAnswersPerProcess) throw tooManyInProcess();
      if ((heldByAccount.get(place.accountId) ?? 0) >= heldAnswersPerAccount) throw tooManyOfAccount();
      count(place.accountId, 1);
      const isTaken = await takePlace(db, { ...place, now: now() }).catch((error: unknown) => {
        count(place.accountId, -1);
        throw error;
      });
      if (!isTaken) {
        count(place.accountId, -1);
        throw tooManyOfAccount();
      }
      return async () => {
        count(place.accountId, -1);
        // If this fails, the place is free when its time is over. The response is sent in any case.
        await freePlace(db, place).catch(() => undefined);
      };
    },
    read: work => reads.runExclusive(work),
  };
}

export interface HeldQuery {
  readonly accountId: string;
  readonly waitSeconds: number;
  /** Aborted once the caller has disconnected. */
  readonly gone: AbortSignal;
}

interface Held<State> {
  /** As it was read before. */
  readonly first: State;
  readonly read: () => Promise<State | null>;
  /** Whether the response is held on, with what was read last. */
  readonly isHeld: (latest: State) => boolean;
  /** Resolves when there may be something else to read. */
  readonly next: (waitMaxMs: number, gone: AbortSignal) => Promise<void>;
}

/**
 * Holds a response until what it shows has changed, for the caller's wait time at most.
 * @returns what was read last
 * @throws Problem if no more responses may be held
 */
export async function holdAnswer<State>(
  { now, heldAnswers }: Pick<ApiContext, 'now'> & { readonly heldAnswers: HeldAnswers },
  { accountId, waitSeconds, gone }: HeldQuery,
  { first, read, isHeld, next }: Held<State>,
): Promise<State | null> {
  const until = new Date(now().getTime() + waitSeconds * 1_000);
  const free = await heldAnswers.hold({ accountId, until });
  try {
    for (let latest: State | null = first; ; ) {
      const leftMs = until.getTime() - now().getTime();
      if (latest === null || !isHeld(latest) || leftMs <= 0 || gone.aborted) return latest;
      await next(leftMs, gone);
      latest = await heldAnswers.read(async () => (gone.aborted ? first : read()));
    }
  } finally {
    await free();
  }
}

function tooManyOfAccount(): Problem {
  return new Problem(
    'rate_limited',
    `At most ${heldAnswersPerAccount} responses are held per account. Send the request without \`Prefer: wait\`, or try again.`,
    { retryAfterSeconds: heldAnswerRetrySeconds },
  );
}

function tooManyInProcess(): Problem {
  return new Problem(
    'unavailable',
    'No more responses can be held at the moment. Send the request without `Prefer: wait`, or try again.',
    { retryAfterSeconds: heldAnswerRetrySeconds },
  );
}
