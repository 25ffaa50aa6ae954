import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { choosePort } from '../../net/free-port.js';
import { type Service, spawnService } from '../process/spawn-service.js';
import { waitUntil } from '../process/wait-until.js';
import { postgresBinaries } from './binaries.js';
import { ensureCluster, ensureDatabase } from './cluster.js';
import { stopPostgresOrphans } from './orphans.js';
import { type PostgresPlace, placePostgres } from './place.js';

/** SIGINT: fast shutdown with a checkpoint. SIGQUIT: at once, recovery at the next start. */
const END_STEPS = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

const RETRIES_MS = 30_000;
const READY_MS = 120_000;

/** What {@link startPostgres} needs. The caller holds the lock of the home. */
export interface PostgresOptions {
  readonly home: string;
  readonly log: (line: string) => void;
  /** Used if free; else any free port. */
  readonly port?: number;
  /**
   * Unless told, what is stored is on the disk. `false` is for tests: each database that is dropped would have all others written
   * out, and statements wait for seconds where the disk is slow.
   */
  readonly durable?: boolean;
  /** Where the data go when root's database user cannot reach the home. */
  readonly elsewhere?: string;
  readonly signal?: AbortSignal | undefined;
}

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** Of the service's database, as a role that owns it and is no superuser. */
  readonly url: string;
  readonly pid: number;
  /** Resolves, never rejects, with how the server ended. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the PostgreSQL of this home on 127.0.0.1, after making its database on the first start and stopping an orphan of a
 * killed run. It accepts connections when this resolves.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { log, elsewhere = '/var/lib/council-report-service', signal } = options;
  const home = await realpath(options.home);
  const place = await placePostgres({ home, elsewhere, log });
  const { initdb, postgres } = await postgresBinaries(place.directory, place.account, log);
  await stopPostgresOrphans(join(place.directory, 'data'), END_STEPS, log);
  const data = await ensureCluster(place, initdb, log, signal);
  const { service, url } = await startOnFreePort({ ...options, home }, place, postgres, data);
  log(`PostgreSQL: ready on ${new URL(url).host}, data in ${data}`);
  return { url, pid: service.pid, exited: service.exited, stop: service.stop };
}

interface Started {
  readonly service: Service;
  readonly url: string;
}

/** Tries again where trying again helps: the port was snatched, or backends of a killed server are not gone yet. */
async function startOnFreePort(
  options: PostgresOptions,
  place: PostgresPlace,
  postgres: string,
  data: string,
): Promise<Started> {
  const giveUp = performance.now() + RETRIES_MS;
  for (;;) {
    const port = await choosePort(options.port ?? 54_329);
    const service = await spawnPostgres(options, place, postgres, data, port);
    try {
      const url = await untilReady(service, { port, password: place.password, data }, options.signal);
      return { service, url };
    } catch (error) {
      const words = await service.lastLines();
      const passing = /Address already in use|pre-existing shared memory block/.test(words);
      await service.stop();
      if (!passing || performance.now() > giveUp) throw error;
    }
  }
}

function spawnPostgres(
  { home, durable = true }: PostgresOptions,
  place: PostgresPlace,
  postgres: string,
  data: string,
  port: number,
): Promise<Service> {
  const onDisk = durable ? 'on' : 'off';
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // A socket file would be one more thing that must be writable, short enough, and swept up.
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    // A report that was paid for survives a power cut.
    fsync: onDisk,
    synchronous_commit: onDisk,
    full_page_writes: onDisk,
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
  };
  return spawnService({
    name: 'PostgreSQL',
    command: postgres,
    args: ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    cwd: place.directory,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    logFile: join(home, 'logs', 'postgres.log'),
    account: place.account,
    endSteps: END_STEPS,
  });
}

/** Recovery after a hard kill may take a while: patience as long as the process lives, none when it ended. */
async function untilReady(
  service: Service,
  address: { port: number; password: string; data: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  let last: unknown;
  const connect = async (): Promise<string | undefined> => {
    const ended = service.ended();
    if (ended !== undefined) throw await service.failure(ended);
    try {
      return await ensureDatabase(address);
    } catch (error) {
      last = error;
      return undefined;
    }
  };
  const url = await waitUntil(connect, { timeoutMs: READY_MS, signal });
  if (url !== undefined) return url;
  const reason = last instanceof Error ? last.message : String(last);
  throw await service.failure(
    `PostgreSQL did not accept connections within ${READY_MS / 1000} s (${reason})`,
  );
}
