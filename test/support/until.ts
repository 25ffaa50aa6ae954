import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 20;
const defaultPatienceMs = 30_000;

/**
 * Looks until what it sees is what was waited for: a condition, never a time.
 * @param isIt what was waited for; unless told, that it holds
 * @param patienceMs after which it is given up; more only for what a busy machine makes slow
 * @throws Error by name when it never comes about
 */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  isIt: (seen: Seen) => boolean = Boolean,
  patienceMs = defaultPatienceMs,
): Promise<Seen> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (isIt(seen)) return seen;
    if (Date.now() > giveUpAt) throw new Error(`it did not come about that ${what}`);
    await pause(lookEveryMs);
  }
}

/**
 * How long a call waits for a server that never answers. A shorter wait can be over before the call has left this
 * process, on a machine that runs other tests beside this one; nothing then reaches the server that is to be hung up on.
 */
export const giveUpAfterMs = 1_000;
