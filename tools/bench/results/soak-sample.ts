import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { BenchedService } from '../services/with-service.js';
import { familyOf, residentMiB } from './process-usage.js';
import type { ServerProcesses } from './server-processes.js';

/** Figures by name, with their unit. */
export type SoakSample = Readonly<Record<string, number>>;

const bytesPerMiB = 2 ** 20;
/** They grow with every report. */
const growingTables = [
  'events',
  'idempotency_keys',
  'ledger_entries',
  'ledger_transfers',
  'provider_calls',
  'quotes',
  'record_entries',
  'report_purchases',
  'reports',
  'stage_results',
];

/** Memory, file descriptors, handles, connections and sizes at this moment. */
export async function readSoakSample(service: BenchedService): Promise<SoakSample> {
  const { processes, servers, metricsUrls } = service;
  const [api, worker] = [await readPage(metricsUrls.api), await readPage(metricsUrls.worker)];
  return {
    ...ofProcess('API', processes.api),
    ...ofPage('API', api),
    ...ofProcess('worker', processes.worker),
    ...ofPage('worker', worker),
    ...ofPostgres(servers),
    ...ofTemporal(servers),
    ...(await sizes(service)),
  };
}

/** Nothing of a server on another machine. */
function ofPostgres({ postgres }: ServerProcesses): SoakSample {
  if (postgres === null) return {};
  const family = familyOf(postgres);
  return {
    'PostgreSQL resident MiB, shared memory counted per process': sumOf(family, residentMiB),
    'PostgreSQL processes': family.length,
    'PostgreSQL file descriptors': sumOf(family, descriptors),
  };
}

function ofTemporal({ temporal }: ServerProcesses): SoakSample {
  const [only, ...more] = temporal;
  const named = only === undefined || more.length > 0 ? temporal : [{ ...only, name: 'Temporal' }];
  return Object.assign({}, ...named.map(({ name, pid }) => ofProcess(name, pid)));
}

function ofProcess(name: string, pid: number): SoakSample {
  return { [`${name} resident MiB`]: residentMiB(pid), [`${name} file descriptors`]: descriptors(pid) };
}

function descriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // The process has just ended.
    return 0;
  }
}

function sumOf(pids: readonly number[], figure: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + figure(pid), 0);
}

async function readPage(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`${url}/metrics responded ${response.status}`);
  return response.text();
}

function ofPage(name: string, page: string): SoakSample {
  const figure = (metric: string) =>
    Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);
  return {
    [`${name} heap used MiB`]: figure('nodejs_heap_size_used_bytes') / bytesPerMiB,
    [`${name} memory outside the heap MiB`]: figure('nodejs_external_memory_bytes') / bytesPerMiB,
    [`${name} open handles`]: figure('nodejs_active_handles_total'),
  };
}

async function sizes({ database, env, isEmbedded }: BenchedService): Promise<SoakSample> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(relid) as bytes from pg_stat_user_tables
    where schemaname = 'public' and relname in (${sql.join(growingTables)}) order by relname`.execute(
    database.db,
  );
  const { rows: connections } = await sql<{ open: number }>`
    select count(*) as open from pg_stat_activity where backend_type = 'client backend'`.execute(database.db);
  return {
    'connections to PostgreSQL': connections[0]?.open ?? 0,
    ...Object.fromEntries(rows.map(({ name, bytes }) => [`table ${name} MiB`, bytes / bytesPerMiB])),
    ...(isEmbedded ? await temporalFile(env['COUNCIL_HOME'] ?? '') : {}),
  };
}

async function temporalFile(home: string): Promise<SoakSample> {
  const { size } = await stat(join(home, 'temporal.db'));
  return { 'database of Temporal MiB': size / bytesPerMiB };
}
