/**
 * Resolves when the process is asked to end. On its own that is SIGTERM or Ctrl-C. Under `npm start` it is a
 * message: a Ctrl-C there reaches the whole process group, and only the launcher knows the right order. A
 * launcher that was killed can give no order: its children end with it, and what they were doing is taken up
 * again by the next start.
 */
export function untilAskedToEnd(): Promise<void> {
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
