import { describe, expect, test } from '@jest/globals';
import {
  heldMs,
  lockedTransaction,
  type MeasuredAlone,
  perSecondMax,
  simulateTransactions,
} from '../../../tools/scale/locked-transaction.js';

/** Ten statements with 1 ms of network each, 4 ms of CPU and 2 ms until the COMMIT is on disk. */
const alone: MeasuredAlone = {
  transactionMs: 16,
  lockStatementMs: 1.7,
  afterMs: 6,
  statementsBefore: 7,
  statementsAfter: 3,
  callerMs: 2,
  databaseMs: 2,
  flushMs: 2,
  locksFirst: true,
};
const transaction = lockedTransaction(alone);
const machine = { cores: 1_000, callersHaveOwnCores: true, callers: 1_000, connections: 50 };

describe('a transaction under a lock', () => {
  test('is split so that nothing of what was measured is lost', () => {
    const { before, lockingMs, after, roundTripMs, flushMs } = transaction;
    expect(roundTripMs).toBeCloseTo(1);
    expect(lockingMs).toBeCloseTo(0.5);
    expect(after.callerMs + after.databaseMs).toBeCloseTo(1);
    const cpuMs = before.callerMs + before.databaseMs + lockingMs + after.callerMs + after.databaseMs;
    expect(cpuMs + 10 * roundTripMs + flushMs).toBeCloseTo(alone.transactionMs);
  });

  test('holds the lock from then on, and in the statement that takes it unless that takes it last', () => {
    expect(heldMs(transaction)).toBeCloseTo(6.5);
    expect(heldMs(lockedTransaction({ ...alone, locksFirst: false }))).toBeCloseTo(6);
  });

  test('takes as long as it was measured while it is alone', () => {
    const { meanMs, meanQueueMs } = simulateTransactions(transaction, machine, { atOnce: 1 });
    expect(meanMs).toBeCloseTo(alone.transactionMs);
    expect(meanQueueMs).toBe(0);
  });

  test('is made at most once in the time for which the lock is held', () => {
    expect(perSecondMax(transaction, machine)).toBeCloseTo(1_000 / 6.5, 0);
  });

  test('is bounded by connections, event loops and cores where those are fewer', () => {
    const max = (fewer: Partial<typeof machine>, of = transaction) =>
      perSecondMax(of, { ...machine, ...fewer });
    expect(max({ connections: 1 })).toBeCloseTo(1_000 / 16, 0);
    const short = { ...transaction, lockingMs: 0, after: { statements: 0, callerMs: 0, databaseMs: 0 } };
    const busy = { ...short, flushMs: 0, before: { statements: 7, callerMs: 2, databaseMs: 2 } };
    expect(max({ callers: 1 }, busy)).toBeCloseTo(500, -1);
    expect(max({ cores: 1, callersHaveOwnCores: false }, busy)).toBeCloseTo(250, -1);
  });

  test('waits longer the closer the load comes to that', () => {
    const queueMs = [40, 80, 120, 150].map(
      perSecond => simulateTransactions(transaction, machine, { perSecond }).meanQueueMs,
    );
    expect(queueMs).toEqual(queueMs.toSorted((a, b) => a - b));
  });
});
