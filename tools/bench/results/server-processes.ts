import { networkInterfaces } from 'node:os';
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { findProcesses } from '../../../platform/embedded/process/processes.js';
import { isLoopback } from '../../../platform/settings/settings.js';
import { commandLineOf, cpuSeconds, familyCpuSeconds, parentOf } from './process-usage.js';

/** The processes of the servers that run on this machine. */
export interface ServerProcesses {
  /** The parent of all sessions; null on another machine. */
  readonly postgres: number | null;
  /** One, or those of a cluster by service; none on another machine. */
  readonly temporal: readonly NamedProcess[];
}

export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
}

/** Finds the processes of the servers that a measurement uses. */
export async function findServerProcesses(db: Db, temporalAddress: string): Promise<ServerProcesses> {
  return { postgres: await findPostgres(db), temporal: await findTemporal(temporalAddress) };
}

/** NaN if it runs on another machine. */
export function postgresCpuSeconds({ postgres }: ServerProcesses): number {
  return postgres === null ? Number.NaN : familyCpuSeconds(postgres);
}

/** Of all its processes; NaN if they run on another machine. */
export function temporalCpuSeconds({ temporal }: ServerProcesses): number {
  if (temporal.length === 0) return Number.NaN;
  return temporal.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}

/** A process with the pid of the session may run here while the server runs elsewhere; its title tells the difference. */
async function findPostgres(db: Db): Promise<number | null> {
  const { rows } = await sql<{ pid: number; port: number | null }>`
    select pg_backend_pid() as pid, inet_client_port() as port`.execute(db);
  const { pid = 0, port = null } = rows[0] ?? {};
  const title = commandLineOf(pid);
  const peer = port === null ? '[local]' : `(${port})`;
  return title.startsWith('postgres:') && title.includes(peer) ? parentOf(pid) : null;
}

async function findTemporal(address: string): Promise<readonly NamedProcess[]> {
  const { hostname, port } = new URL(`tcp://${address}`);
  if (!isThisMachine(hostname.replace(/^\[(.*)\]$/, '$1'))) return [];
  const pids = await findProcesses(line => temporalProcessName(line, port) !== null);
  const found = pids
    .map(pid => ({ pid, name: temporalProcessName(commandLineOf(pid), port) ?? 'temporal' }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid);
  const devServer = found.filter(({ name }) => name === 'temporal');
  return numbered(devServer.length > 0 ? devServer : found);
}

function isThisMachine(host: string): boolean {
  const own = Object.values(networkInterfaces()).flat();
  return isLoopback(host) || own.some(each => each?.address === host);
}

/**
 * What a process of Temporal is called: that of a cluster by its service, `temporal` for the dev server on this port.
 * Null for every other process.
 */
export function temporalProcessName(commandLine: string, port: string): string | null {
  const [program = ''] = commandLine.split(' ');
  const name = basename(program);
  if (name === 'temporal-server') {
    const service = /\s--(?:service|services|svc)[= ](\S+)/.exec(commandLine)?.[1];
    return service === undefined ? 'temporal-server' : `temporal-server ${service}`;
  }
  const isDevServer = name === 'temporal' && commandLine.includes(' server start-dev ');
  return isDevServer && `${commandLine} `.includes(` --port ${port} `) ? 'temporal' : null;
}

/** Several processes of one service are numbered. */
function numbered(found: readonly NamedProcess[]): readonly NamedProcess[] {
  return found.map((each, index) => {
    const alike = found.filter(({ name }) => name === each.name);
    if (alike.length === 1) return each;
    const before = found.slice(0, index).filter(({ name }) => name === each.name);
    return { ...each, name: `${each.name} ${before.length + 1}` };
  });
}
