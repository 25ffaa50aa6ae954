import { Mutex } from 'async-mutex';

/** One mutex for each key. Callers of the same key run one at a time, in the order in which they called. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  /** @param task gets whether it had to wait for another caller. */
  async runExclusive<Result>(key: string, task: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
    const mutex = this.mutexes.get(key) ?? new Mutex();
    this.mutexes.set(key, mutex);
    const hasWaited = mutex.isLocked();
    try {
      return await mutex.runExclusive(() => task(hasWaited));
    } finally {
      if (!mutex.isLocked()) this.mutexes.delete(key);
    }
  }
}
