import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition, not for a time: looks again every few milliseconds, up to ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let look = 0; look < 2_000; look += 1) {
    if (condition()) return;
    await pause(5);
  }
  throw new Error(`never happened: ${what}`);
}
