import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves when the process is asked to end. On its own that is SIGTERM or Ctrl-C. Under `npm start` it is a
 * message: a Ctrl-C there reaches the whole process group, and only the launcher knows the right order. A
 * launcher that was killed can give no order: its children end with it, and what they were doing is taken up
 * again by the next start.
 */
export function shutdownRequested(): Promise<void> {
  return new Promise(resolve => {
    const supervised = process.send !== undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (!supervised) resolve();
      });
    }
    process.on('message', message => {
      if (message === endMessage) resolve();
    });
    process.on('disconnect', () => process.exit(1));
  });
}

/** Tells a launcher, where there is one, that this process can do its work. */
export function tellReady(fact: ReadyMessage): void {
  process.send?.(fact);
}

export interface ReadyMessage {
  readonly ready: string;
}

export const endMessage = 'end';

/**
 * Tries until it succeeds: a process may start before what it stands on is there.
 * @param onFailure told of the first failure, and of every tenth after it.
 */
export async function keepTrying<Result>(
  attempt: () => Promise<Result>,
  onFailure: (error: unknown) => void,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures % 10 === 0) onFailure(error);
      await pause(Math.min(250 * 2 ** failures, 2_000));
    }
  }
}

/** Tells the API that all of Temporal is the embedded server, with one worker: `npm start` says so, and nobody else. */
export const embeddedTemporalFlag = '--embedded-temporal';
