import { Semaphore } from 'async-mutex';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { passwordsHashedAtOnce, passwordsWaitingMax } from '../../purchase/limits.js';

/** The hashing of the library, bounded: passwords of strangers must not take the processor from everybody else. */
export interface PasswordHashing {
  /** @throws PasswordsBusy */
  hash(password: string): Promise<string>;
  /** @throws PasswordsBusy */
  verify(data: { hash: string; password: string }): Promise<boolean>;
}

/** The queue is full: a further password would wait too long. */
export class PasswordsBusy extends Error {
  constructor() {
    super('too many passwords are waiting to be checked');
    this.name = 'PasswordsBusy';
  }
}

export function createPasswordHashing(
  work: PasswordHashing = { hash: hashPassword, verify: verifyPassword },
  atOnceMax = passwordsHashedAtOnce,
  waitingMax = passwordsWaitingMax,
): PasswordHashing {
  const places = new Semaphore(atOnceMax);
  let underWay = 0;
  async function bounded<Result>(task: () => Promise<Result>): Promise<Result> {
    if (underWay >= atOnceMax + waitingMax) throw new PasswordsBusy();
    underWay += 1;
    try {
      return await places.runExclusive(task);
    } finally {
      underWay -= 1;
    }
  }
  return {
    hash: password => bounded(() => work.hash(password)),
    verify: data => bounded(() => work.verify(data)),
  };
}
