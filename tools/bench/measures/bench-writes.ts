import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { type Measured, rounded } from '../results/measurement.js';
import { withService } from '../services/with-service.js';

const warmUpReports = 50;
const reports = 300;
const buyersAtOnce = 4;
/** A session tells its counts when it has been idle for ten seconds. */
const countsToldAfterMs = 11_000;
const pollEveryMs = 500;
const bytesPerKb = 1_000;

/**
 * What a fresh report writes to the service's database, by table: rows, and the size with indexes, as written and once
 * the space of old versions is used again.
 */
export function benchWrites(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const { db } = service.database;
    await service.slowDown([]);
    const buyer = await ReportBuyer.create(service, warmUpReports + reports);
    await run(db, buyer, warmUpReports);
    await sql`vacuum full`.execute(db);
    const before = await readCounts(db);
    await run(db, buyer, reports);
    const after = await readCounts(db);
    await sql`vacuum full`.execute(db);
    return resultOf(before, after, await readTables(db));
  });
}

/** Waits for all by one statement now and then, so that hardly anything but the reports is counted. */
async function run(db: Db, buyer: ReportBuyer, count: number): Promise<void> {
  const ended = async () => {
    const { rows } = await sql<{ ended: number }>`
      select count(*)::int as ended from reports where status = 'completed'`.execute(db);
    return rows[0]?.ended ?? 0;
  };
  const target = (await ended()) + count;
  await inLanes(count, buyersAtOnce, async () => void (await buyer.buy()));
  while ((await ended()) < target) await pause(pollEveryMs);
}

interface TableCounts {
  readonly name: string;
  readonly isLogged: boolean;
  readonly inserted: number;
  readonly updated: number;
  readonly updatedInPlace: number;
  readonly deleted: number;
  readonly bytes: number;
}

interface Counts {
  readonly tables: readonly TableCounts[];
  readonly walRecords: number;
  readonly walBytes: number;
  readonly transactions: number;
  /** The transactions that have a number, because they write. */
  readonly writing: number;
}

async function readCounts(db: Db): Promise<Counts> {
  await pause(countsToldAfterMs);
  const { rows } = await sql<Omit<Counts, 'tables'>>`
    select wal_records as "walRecords", wal_bytes::bigint as "walBytes", xact_commit as transactions,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as writing
    from pg_stat_wal, pg_stat_database where datname = current_database()`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('the database has no statistics');
  return { ...counts, tables: await readTables(db) };
}

async function readTables(db: Db): Promise<readonly TableCounts[]> {
  const { rows } = await sql<TableCounts>`
    select class.relname as name, relpersistence = 'p' as "isLogged", n_tup_ins as inserted, n_tup_upd as updated,
      n_tup_hot_upd as "updatedInPlace", n_tup_del as deleted, pg_total_relation_size(relid) as bytes
    from pg_stat_user_tables as stat join pg_class as class on class.oid = stat.relid`.execute(db);
  return rows;
}

/** Of each table that a report writes to, the biggest first. */
function grownBy(before: Counts, after: Counts, compact: readonly TableCounts[]) {
  return after.tables
    .map(table => {
      const { name, isLogged } = table;
      const was = before.tables.find(other => other.name === name);
      const is = compact.find(other => other.name === name);
      const grown = (of: keyof Omit<TableCounts, 'name' | 'isLogged'>) => each(table[of] - (was?.[of] ?? 0));
      return {
        name: isLogged ? name : `${name} (unlogged)`,
        inserted: grown('inserted'),
        updated: grown('updated'),
        updated_in_place: grown('updatedInPlace'),
        deleted: grown('deleted'),
        kb_as_written: each((table.bytes - (was?.bytes ?? 0)) / bytesPerKb, 1),
        kb_compact: each(((is?.bytes ?? 0) - (was?.bytes ?? 0)) / bytesPerKb, 1),
      };
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted >= 0.01)
    .sort((a, b) => b.kb_compact - a.kb_compact || b.inserted - a.inserted);
}

type Grown = ReturnType<typeof grownBy>[number];

function each(value: number, digits = 2): number {
  return rounded(value / reports, digits);
}

function resultOf(before: Counts, after: Counts, compact: readonly TableCounts[]): Measured {
  const tables = grownBy(before, after, compact);
  const sum = (of: keyof Omit<Grown, 'name'>) =>
    rounded(
      tables.reduce((all, table) => all + table[of], 0),
      1,
    );
  const walKb = each((after.walBytes - before.walBytes) / bytesPerKb, 1);
  const walRecords = each(after.walRecords - before.walRecords, 0);
  const transactions = each(after.transactions - before.transactions, 0);
  const writing = each(after.writing - before.writing, 0);
  const row = (name: string, of: (figure: Parameters<typeof sum>[0]) => number) => [
    name,
    of('inserted'),
    `${of('updated')} (${of('updated_in_place')})`,
    of('deleted'),
    of('kb_as_written'),
    of('kb_compact'),
  ];
  return {
    figures: { reports, tables, wal_kb: walKb, wal_records: walRecords, transactions, writing },
    table: {
      head: ['a report', 'rows inserted', 'updated (in place)', 'deleted', 'KB as written', 'KB compact'],
      rows: [...tables.map(table => row(`\`${table.name}\``, of => table[of])), row('all', sum)],
    },
    goals: [
      {
        what: `KB of WAL a report, in ${walRecords} records; ${transactions} transactions, of which ${writing} write`,
        value: walKb,
        atMost: 100,
      },
    ],
  };
}
