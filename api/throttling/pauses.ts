import type { SharedCounts } from '../../db/throttling/shared-counts.js';
import { type AttemptKind, type PausePolicy, pauseSecondsAfter } from '../../purchase/pauses.js';
import { Problem } from '../http/problem.js';
import type { CountKey } from './count-key.js';

/** Something whose tries are counted: a network, an IPv6 site, an account, or an account at a network that is known to it. */
export interface Subject {
  readonly of: 'network' | 'site' | 'account' | 'known';
  readonly kind: AttemptKind;
  readonly values: readonly string[];
  readonly policy: PausePolicy;
}

/** A try that was let through and counted. */
export interface Admitted {
  readonly subject: Subject;
  /** Whether the next try has to wait because of this one. */
  readonly beganPause: boolean;
}

/** Tries that have to wait the longer, the more of them there were. */
export interface Pauses {
  /** Counts a try. Of many at the same time, only as many as the policy allows are let through. @throws Problem */
  admit(subject: Subject): Promise<Admitted>;
  /** Makes a try uncounted. */
  giveBack(admitted: Admitted): Promise<void>;
  /** Begins to count again. */
  forget(subject: Subject): Promise<void>;
}

export function createPauses(counts: SharedCounts, countKey: CountKey): Pauses {
  const triesOf = ({ of, kind, values }: Subject) => countKey(`${kind}-${of}-tries`, ...values);
  const pauseOf = ({ of, kind, values }: Subject) => countKey(`${kind}-${of}-pause`, ...values);
  return {
    async admit(subject) {
      const { policy } = subject;
      const pause = await counts.read(pauseOf(subject));
      if (pause !== null) throw tooMany(pause.msLeft);
      const { points } = await counts.add(triesOf(subject), 1, policy.forgottenAfterSeconds);
      const pauseSeconds = pauseSecondsAfter(policy, points);
      if (pauseSeconds === 0) return { subject, beganPause: false };
      // Several tries can come at the same time. The one that begins the pause is let through.
      const begun = await counts.add(pauseOf(subject), 1, pauseSeconds);
      if (begun.points === 1) return { subject, beganPause: true };
      await counts.add(triesOf(subject), -1, policy.forgottenAfterSeconds);
      throw tooMany(begun.msLeft);
    },
    async giveBack({ subject, beganPause }) {
      if (beganPause) await counts.forget(pauseOf(subject));
      await counts.add(triesOf(subject), -1, subject.policy.forgottenAfterSeconds);
    },
    async forget(subject) {
      await counts.forget(triesOf(subject));
      await counts.forget(pauseOf(subject));
    },
  };
}

function tooMany(msLeft: number): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(msLeft / 1_000));
  return new Problem('rate_limited', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}
