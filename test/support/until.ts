import { setTimeout as pause } from 'node:timers/promises';

const pollEveryMs = 20;

/**
 * How long a test waits for a condition before it fails. Far more than any condition needs, because a machine
 * that runs other work is slow; a test that passes never waits this long.
 */
export const patienceMs = 120_000;

/**
 * Time limit of a test or hook that starts and kills whole services: longer than {@link patienceMs}, so that
 * the failing condition is reported by name.
 */
export const processTestMs = 3 * patienceMs;

/**
 * Polls until a condition holds.
 * @param what the condition, as the error names it
 * @param isDone whether the polled value fulfils the condition; by default, whether it is truthy
 * @throws Error when the condition does not hold in time
 */
export async function until<Seen>(
  what: string,
  poll: () => Seen | Promise<Seen>,
  isDone: (seen: Seen) => boolean = Boolean,
  withinMs = patienceMs,
): Promise<Seen> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await poll();
    if (isDone(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await pause(pollEveryMs);
  }
}

/** A point that work waits at until a test, or other work, opens it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}

/**
 * The time-out for a call to a server that never responds. A shorter one can expire on a busy machine before
 * the request has left this process, and the test then sees no connection closing.
 */
export const giveUpAfterMs = 1_000;
