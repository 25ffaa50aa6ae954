import { setTimeout as pause } from 'node:timers/promises';

/**
 * Resolves when the process is asked to end: by SIGTERM or Ctrl-C, or under `npm start` by a message. There Ctrl-C
 * reaches all processes at once, but the launcher must end them in order. When the launcher is killed, its children
 * exit at once, and the next start resumes their work.
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

/** Tells the launcher, if there is one, that this process is ready. */
export function tellReady(fact: ReadyMessage): void {
  process.send?.(fact);
}

export interface ReadyMessage {
  readonly ready: string;
}

export const endMessage = 'end';

/**
 * Retries until it succeeds: a process may start before the services it depends on.
 * @param onFailure called for the first failure, and for every tenth after it
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

/** The option by which `npm start` has a process write warnings and errors only, until all of them are ready. */
export const quietStartFlag = '--quiet-start';

export const startedMessage = 'started';

/**
 * Under `npm start`, keeps the requests and the runs of the start itself out of what a newcomer reads.
 * @returns whether a time (Unix, in milliseconds) is before the end of the start. Temporal's SDK delivers log entries
 * up to 200 ms after they were made, so the level when they arrive does not decide.
 */
export function quietUntilStarted(log: { level: string }): (atMs: number) => boolean {
  if (!process.argv.includes(quietStartFlag)) return () => false;
  const { level } = log;
  let startedMs = Number.POSITIVE_INFINITY;
  log.level = 'warn';
  process.on('message', message => {
    if (message !== startedMessage) return;
    startedMs = Date.now();
    log.level = level;
  });
  return atMs => atMs < startedMs;
}

/** The option by which `npm start` tells the API that Temporal is the embedded server, with one worker. */
export const embeddedTemporalFlag = '--embedded-temporal';

/** The option by which `npm start` tells the API that it has chosen `METRICS_PORT` itself, for this machine only. */
export const loopbackMetricsFlag = '--loopback-metrics';
