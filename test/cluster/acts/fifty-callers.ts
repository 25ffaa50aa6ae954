import type { Stage } from './act.js';
import { sayTally } from './tally.js';

const callersAtOnce = 50;
const lastsMs = 60_000;

/** Fifty callers, models that answer at once, and no fault: what the cluster cannot bear, it refuses before it charges. */
export async function callAtOnce({ callers, journal, say }: Stage): Promise<readonly string[]> {
  const from = journal.attempts.length;
  const endsAt = Date.now() + lastsMs;
  await callers.keepBuying(callersAtOnce, () => Date.now() >= endsAt);
  const attempts = journal.attempts.slice(from);
  sayTally(say, `${callersAtOnce} callers for ${lastsMs / 1_000} s`, attempts);
  // A refusal says that nothing was charged, and when to come back.
  return attempts.flatMap(({ outcome }) =>
    outcome.kind === 'silence' || (outcome.kind === 'refusal' && outcome.status !== 503)
      ? [
          `without a fault, a purchase was answered ${outcome.kind === 'silence' ? outcome.why : outcome.status}`,
        ]
      : [],
  );
}
