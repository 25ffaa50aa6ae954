import { sql } from 'kysely';
import type { BenchedService } from '../services/with-service.js';
import { cpuSeconds } from './process-usage.js';
import { postgresCpuSeconds } from './server-processes.js';

/** What the service and its servers have used so far. */
export interface Usage {
  /** By process; without the servers on other machines. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** What the PostgreSQL server of the service has written ahead, for all its databases. */
  readonly walBytes: number;
  /** How many transactions have written there so far: each has taken a number. */
  readonly transactions: number;
  /** To that server, without those of the bench. */
  readonly connections: number;
}

/** Reads the CPU times at once, and the rest a few milliseconds later. */
export async function readUsage(service: BenchedService): Promise<Usage> {
  const cpu = cpuByProcess(service);
  const { db, pool } = service.database;
  const { rows } = await sql<{ wal: number; transactions: number; sessions: number }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 as wal,
      pg_snapshot_xmax(pg_current_snapshot())::text::int8 as transactions,
      (select count(*) from pg_stat_activity where datname is not null and usename is not null) as sessions
  `.execute(db);
  const { wal = Number.NaN, transactions = Number.NaN, sessions = Number.NaN } = rows[0] ?? {};
  return { cpuSeconds: cpu, walBytes: wal, transactions, connections: sessions - pool.totalCount };
}

/** The databases on the PostgreSQL server of the service, whose write-ahead log they share. */
export async function readDatabases({ database }: BenchedService): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database where not datistemplate and datname <> 'postgres' order by name
  `.execute(database.db);
  return rows.map(({ name }) => name);
}

/** `outside`: the simulated models and the market. `bench`: the callers and the polling for ended reports. */
function cpuByProcess({ servers, processes }: BenchedService): Usage['cpuSeconds'] {
  return {
    ...Object.fromEntries(servers.temporal.map(({ name, pid }) => [name, cpuSeconds(pid)])),
    ...(servers.postgres === null ? {} : { postgres: postgresCpuSeconds(servers) }),
    worker: cpuSeconds(processes.worker),
    api: cpuSeconds(processes.api),
    outside: cpuSeconds(processes.outside),
    bench: cpuSeconds(process.pid),
  };
}
