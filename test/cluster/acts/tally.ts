import type { PurchaseAttempt } from '../../chaos/books/journal.js';
import { seconds } from '../../chaos/drills/drill.js';

/** Says how purchases were answered, and how long that took. */
export function sayTally(
  say: (line: string) => void,
  what: string,
  attempts: readonly PurchaseAttempt[],
): void {
  const counts = new Map<string, number>();
  for (const { outcome } of attempts) {
    const answer =
      outcome.kind === 'receipt'
        ? 'sold'
        : outcome.kind === 'refusal'
          ? `refused with ${outcome.status} ${outcome.code}`
          : `without an answer (${outcome.why})`;
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  const parts = [...counts].map(([answer, times]) => `${times} ${answer}`);
  const tookMs = attempts.map(each => each.endedAt - each.sentAt).sort((one, other) => one - other);
  const at = (share: number) => seconds(tookMs[Math.floor(share * (tookMs.length - 1))] ?? 0);
  say(
    `${what}: ${attempts.length} requests, ${parts.join(', ')}; answered in ${at(0.5)} (median), ${at(1)} (longest).`,
  );
}
