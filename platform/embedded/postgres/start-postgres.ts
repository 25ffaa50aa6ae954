import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { choosePort } from '../../net/free-port.js';
import { waitUntil } from '../process/processes.js';
import { type Service, spawnService } from '../process/spawn-service.js';
import { postgresBinaries } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { stopPostgresOrphans } from './orphans.js';
import { type PostgresPlace, placePostgres } from './place.js';
import { type DatabaseUrls, ensureDatabase, type ServerAddress } from './roles.js';

/** SIGINT: fast shutdown with a checkpoint. SIGQUIT: at once, recovery at the next start. */
const END_STEPS = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

const RETRIES_MS = 30_000;
const READY_MS = 120_000;

/** The caller holds the lock of the home. */
export interface PostgresOptions {
  readonly home: string;
  readonly log: (line: string) => void;
  /** The preferred port; another one is used if it is taken. */
  readonly port?: number;
  /**
   * Whether commits wait for the disk; true by default. `false` is for tests: dropping a database flushes all others,
   * which takes seconds on a slow disk.
   */
  readonly durable?: boolean;
  /** 100 by default: enough for one API and one worker, and for some tools beside them. */
  readonly connectionsMax?: number;
  /** The parent folder for the data if the database user of root cannot access the home. */
  readonly elsewhere?: string;
  readonly signal?: AbortSignal | undefined;
}

/** A running PostgreSQL server. */
export interface EmbeddedPostgres extends DatabaseUrls {
  readonly pid: number;
  /** Resolves with a sentence when the server has ended. Never rejects. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the PostgreSQL server of this home on 127.0.0.1, and waits until it accepts connections. Creates the database
 * on the first start, and stops the server of a killed service first.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { log, elsewhere = '/var/lib/council-report-service', signal } = options;
  const home = await realpath(options.home);
  const place = await placePostgres({ home, elsewhere, log });
  const { initdb, postgres } = await postgresBinaries(place.directory, place.account, log);
  await stopPostgresOrphans(join(place.directory, 'data'), END_STEPS, log);
  const data = await ensureCluster(place, initdb, log, signal);
  const { service, urls } = await startOnFreePort({ ...options, home }, place, postgres, data);
  log(`PostgreSQL: ready on ${new URL(urls.url).host}, data in ${data}`);
  return { ...urls, pid: service.pid, exited: service.exited, stop: service.stop };
}

interface Started {
  readonly service: Service;
  readonly urls: DatabaseUrls;
}

/** Tries again when the port was taken in the meantime, or when backends of a killed server still run. */
async function startOnFreePort(
  options: PostgresOptions,
  place: PostgresPlace,
  postgres: string,
  data: string,
): Promise<Started> {
  const deadline = performance.now() + RETRIES_MS;
  for (;;) {
    const port = await choosePort(options.port ?? 54_329);
    const service = await spawnPostgres(options, place, postgres, data, port);
    try {
      const urls = await untilReady(service, { port, password: place.password, data }, options.signal);
      return { service, urls };
    } catch (error) {
      const log = await service.lastLines();
      const isTemporary = /Address already in use|pre-existing shared memory block/.test(log);
      await service.stop();
      if (!isTemporary || performance.now() > deadline) throw error;
    }
  }
}

function spawnPostgres(
  { home, durable = true, connectionsMax = 100 }: PostgresOptions,
  place: PostgresPlace,
  postgres: string,
  data: string,
  port: number,
): Promise<Service> {
  const flush = durable ? 'on' : 'off';
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket file: its path would have to be writable, short enough, and removed afterwards.
    unix_socket_directories: '',
    max_connections: String(connectionsMax),
    shared_buffers: '128MB',
    // A paid report must survive a power cut.
    fsync: flush,
    synchronous_commit: flush,
    full_page_writes: flush,
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

/** Recovery after a hard kill can take long: waits as long as the process runs, and fails as soon as it has ended. */
async function untilReady(
  service: Service,
  address: ServerAddress,
  signal: AbortSignal | undefined,
): Promise<DatabaseUrls> {
  let lastError: unknown;
  const connect = async (): Promise<DatabaseUrls | undefined> => {
    const ended = service.ended();
    if (ended !== undefined) throw await service.failure(ended);
    try {
      return await ensureDatabase(address);
    } catch (error) {
      lastError = error;
      return undefined;
    }
  };
  const urls = await waitUntil(connect, { timeoutMs: READY_MS, signal });
  if (urls !== undefined) return urls;
  const reason = lastError instanceof Error ? lastError.message : String(lastError);
  throw await service.failure(
    `PostgreSQL did not accept connections within ${READY_MS / 1000} s (${reason})`,
  );
}
