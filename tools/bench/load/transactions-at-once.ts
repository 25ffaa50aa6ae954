import { sql } from 'kysely';
import type { Connections, Db } from '../../../db/database.js';
import { type LockedTransaction, lockedTransaction } from '../../scale/locked-transaction.js';
import { median } from '../results/measurement.js';
import { postgresCpuSeconds } from '../results/server-processes.js';
import type { BenchServices } from '../services/with-bench-services.js';
import { type StatementTime, StatementTimes } from './statement-times.js';
import { inLanes } from './steady-load.js';

/** Transactions that share a lock, so many at once. Those that are made alone say what one costs. */
export interface Round {
  readonly kind: Kind;
  readonly atOnce: number;
  readonly perSecond: number;
  readonly callerMs: number;
  readonly databaseMs: number;
  /** The statements of each, if they were made one at a time. */
  readonly alone: readonly Alone[];
}

export const kinds = ['sale', 'completion'] as const;
export type Kind = (typeof kinds)[number];
/** Of each kind in a round. */
export const perRound = 100;

interface Alone {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly statements: readonly StatementTime[];
}

export async function measureKind(
  { servers }: BenchServices,
  { kind, db, atOnce }: { readonly kind: Kind; readonly db: Db; readonly atOnce: number },
  transact: (db: Db) => Promise<void>,
): Promise<Round> {
  const times = new StatementTimes();
  const timed = atOnce === 1 ? db.withPlugin(times) : db;
  const alone: Alone[] = [];
  const databaseBefore = postgresCpuSeconds(servers);
  const callerBefore = process.cpuUsage();
  const startMs = performance.now();
  await inLanes(perRound, atOnce, async () => {
    const beganMs = performance.now();
    await transact(timed);
    if (atOnce === 1) alone.push({ beganMs, endedMs: performance.now(), statements: times.take() });
  });
  const seconds = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(callerBefore);
  return {
    kind,
    atOnce,
    perSecond: perRound / seconds,
    callerMs: (user + system) / 1_000 / perRound,
    databaseMs: (1_000 * (postgresCpuSeconds(servers) - databaseBefore)) / perRound,
    alone,
  };
}

/** A sale locks the rows of the house in the statement that writes the legs; a completion its lock in the first one. */
export function transactionOf(kind: Kind, round: Round | undefined, flushMs: number): LockedTransaction {
  if (round === undefined) throw new Error(`no ${kind} was made alone`);
  const split = round.alone.map(each => splitAtLock(kind, each));
  const mean = (of: (each: (typeof split)[number]) => number) =>
    split.reduce((sum, each) => sum + of(each), 0) / split.length;
  return lockedTransaction({
    transactionMs: mean(({ transactionMs }) => transactionMs),
    lockStatementMs: mean(({ lockStatementMs }) => lockStatementMs),
    afterMs: mean(({ afterMs }) => afterMs),
    statementsBefore: Math.round(mean(({ statementsBefore }) => statementsBefore)),
    statementsAfter: Math.round(mean(({ statementsAfter }) => statementsAfter)),
    callerMs: round.callerMs,
    databaseMs: round.databaseMs,
    flushMs,
    locksFirst: kind === 'sale',
  });
}

function splitAtLock(kind: Kind, { beganMs, endedMs, statements }: Alone) {
  const index = kind === 'sale' ? statements.findIndex(({ text }) => text.includes('for no key update)')) : 0;
  const locking = statements[index];
  if (locking === undefined) throw new Error(`no statement of a ${kind} takes its lock`);
  return {
    transactionMs: endedMs - beganMs,
    lockStatementMs: locking.endedMs - locking.beganMs,
    afterMs: endedMs - locking.endedMs,
    // With BEGIN and COMMIT, which are no statements of Kysely.
    statementsBefore: 1 + index + 1,
    statementsAfter: statements.length - index - 1 + 1,
  };
}

/** How much longer a transaction takes that writes a few bytes than one that writes nothing. */
export async function measureFlush({ db }: Connections): Promise<number> {
  const reads: number[] = [];
  const writes: number[] = [];
  const time = async (statement: ReturnType<typeof sql>) => {
    const startMs = performance.now();
    await statement.execute(db);
    return performance.now() - startMs;
  };
  for (let index = 0; index < perRound; index += 1) {
    reads.push(await time(sql`select 'bench'`));
    writes.push(await time(sql`select pg_logical_emit_message(true, 'bench', 'bench')`));
  }
  return Math.max(0, median(writes) - median(reads));
}
