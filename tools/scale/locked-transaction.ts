import { seededRandom } from '../../council/random.js';
import { type Arrivals, type Simulated, type Step, type System, simulate } from './simulate.js';

/**
 * A transaction that every other one of its kind waits for: one of its statements takes a lock that they share, and it
 * holds the lock until its COMMIT is on disk. A sale holds the rows of the house in the ledger, a completion the lock of
 * the newest quote. Each statement takes time of the caller's event loop, then of the network, then of a core of the
 * database.
 */
export interface LockedTransaction {
  /** The statements up to the one that takes the lock, BEGIN included. */
  readonly before: Part;
  /** What the statement that takes the lock does under it. */
  readonly lockingMs: number;
  /** The statements after it, with COMMIT, which is the last. */
  readonly after: Part;
  readonly roundTripMs: number;
  /** Until a COMMIT is on disk. */
  readonly flushMs: number;
}

interface Part {
  readonly statements: number;
  /** CPU of all its statements together. */
  readonly callerMs: number;
  readonly databaseMs: number;
}

/** Mean times of transactions that were made one at a time. */
export interface MeasuredAlone {
  readonly transactionMs: number;
  /** The time of the statement that takes the lock, and what follows until the end. */
  readonly lockStatementMs: number;
  readonly afterMs: number;
  readonly statementsBefore: number;
  readonly statementsAfter: number;
  readonly callerMs: number;
  readonly databaseMs: number;
  readonly flushMs: number;
  /** Whether the statement takes the lock before its work, or last of all. */
  readonly locksFirst: boolean;
}

/**
 * Splits what was measured. What neither a processor nor the disk explains is network, the same for each statement. The
 * CPU under the lock is divided between caller and database as the whole is.
 */
export function lockedTransaction(alone: MeasuredAlone): LockedTransaction {
  const { statementsBefore, statementsAfter, callerMs, databaseMs, flushMs } = alone;
  const statements = statementsBefore + statementsAfter;
  const cpuMs = callerMs + databaseMs;
  const roundTripMs = Math.max(0, alone.transactionMs - cpuMs - flushMs) / statements;
  const lockingMs = alone.locksFirst
    ? Math.min(databaseMs, Math.max(0, alone.lockStatementMs - roundTripMs - callerMs / statements))
    : 0;
  const lockedCpuMs = Math.max(0, alone.afterMs - statementsAfter * roundTripMs - flushMs);
  const lockedShare = Math.min(1, lockedCpuMs / cpuMs);
  const after = { callerMs: callerMs * lockedShare, databaseMs: databaseMs * lockedShare };
  return {
    before: {
      statements: statementsBefore,
      callerMs: callerMs - after.callerMs,
      databaseMs: Math.max(0, databaseMs - after.databaseMs - lockingMs),
    },
    lockingMs,
    after: { statements: statementsAfter, ...after },
    roundTripMs,
    flushMs,
  };
}

/** How long the lock is held while nobody waits. No more transactions a second are possible than its inverse. */
export function heldMs({ lockingMs, after, roundTripMs, flushMs }: LockedTransaction): number {
  return lockingMs + after.callerMs + after.databaseMs + after.statements * roundTripMs + flushMs;
}

export interface Machine {
  /** Cores of callers and database together, or of the database alone if callers have their own. */
  readonly cores: number;
  readonly callersHaveOwnCores: boolean;
  /** Event loops: a process of the service has one. */
  readonly callers: number;
  readonly connections: number;
}

export function simulateTransactions(
  transaction: LockedTransaction,
  machine: Machine,
  arrivals: Arrivals,
  { transactions = 6_000, seed = 'transactions' } = {},
): Simulated {
  return simulate(systemOf(transaction, machine), arrivals, transactions, seededRandom(seed));
}

/** The most transactions a second: a line that never ends. */
export function perSecondMax(transaction: LockedTransaction, machine: Machine): number {
  return simulateTransactions(transaction, machine, { atOnce: 2 * machine.connections }).perSecond;
}

function systemOf({ before, lockingMs, after, ...waits }: LockedTransaction, machine: Machine): System {
  const statements = ({ statements: count, callerMs, databaseMs }: Part) =>
    Array.from({ length: count }, () =>
      statement(machine, {
        callerMs: callerMs / count,
        databaseMs: databaseMs / count,
        roundTripMs: waits.roundTripMs,
      }),
    ).flat();
  return {
    stations: {
      connections: machine.connections,
      callers: machine.callers,
      cores: machine.cores,
      lock: 1,
    },
    steps: [
      { step: 'take', station: 'connections' },
      ...statements(before),
      { step: 'take', station: 'lock' },
      ...onCore(lockingMs),
      ...statements(after),
      spend(waits.flushMs),
      { step: 'give', station: 'lock' },
      { step: 'give', station: 'connections' },
    ],
  };
}

interface StatementCost {
  readonly callerMs: number;
  readonly databaseMs: number;
  readonly roundTripMs: number;
}

function statement({ callersHaveOwnCores }: Machine, cost: StatementCost): Step[] {
  return [
    { step: 'take', station: 'callers' },
    ...(callersHaveOwnCores ? [spend(cost.callerMs)] : onCore(cost.callerMs)),
    { step: 'give', station: 'callers' },
    spend(cost.roundTripMs),
    ...onCore(cost.databaseMs),
  ];
}

function onCore(ms: number): Step[] {
  return [{ step: 'take', station: 'cores' }, spend(ms), { step: 'give', station: 'cores' }];
}

function spend(ms: number): Step {
  return { step: 'spend', ms: () => ms };
}
