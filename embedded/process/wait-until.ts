import { setTimeout as delay } from 'node:timers/promises';

/** How long {@link waitUntil} asks, and how often. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks again and again until there is an answer; undefined when time ran out, and throws when the signal is aborted. */
export async function waitUntil<T>(
  check: () => Promise<T | undefined>,
  options: WaitOptions,
): Promise<T | undefined> {
  const { timeoutMs, intervalMs = 25, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await check();
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) return undefined;
    await delay(intervalMs);
  }
}
