import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Work that a process does again and again beside its activities. */
export interface RepeatedWork {
  readonly everyMs: number;
  readonly round: (stopping: AbortSignal) => Promise<void>;
  /** Called for each round that fails. */
  readonly onFailure: () => void;
  /** What the log says when rounds begin to fail, and when they work again. */
  readonly texts: { readonly fails: string; readonly works: string };
  readonly log: Pick<Logger, 'error' | 'info'>;
}

/**
 * Begins with the first round at once, and goes on until it is stopped. A failure is counted, and logged when it begins
 * and ends; the next round tries again.
 * @returns how to stop it; the promise settles once no round is at work
 */
export function repeatUntilStopped({
  everyMs,
  round,
  onFailure,
  texts,
  log,
}: RepeatedWork): () => Promise<void> {
  const stopping = new AbortController();
  let failing = false;
  const attempt = async () => {
    try {
      await round(stopping.signal);
      if (failing) log.info(texts.works);
      failing = false;
    } catch (err) {
      onFailure();
      if (!failing) log.error({ err }, texts.fails);
      failing = true;
    }
  };
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      await attempt();
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await ended;
  };
}
