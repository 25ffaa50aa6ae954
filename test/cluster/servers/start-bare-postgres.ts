import { join } from 'node:path';
import pg from 'pg';
import { postgresBinaries } from '../../../platform/embedded/postgres/binaries.js';
import { ensureCluster } from '../../../platform/embedded/postgres/cluster.js';
import { placePostgres } from '../../../platform/embedded/postgres/place.js';
import { type Service, spawnService } from '../../../platform/embedded/process/spawn-service.js';
import { until } from '../../support/until.js';

export interface BarePostgres extends Service {
  /** The URL of the superuser. */
  readonly adminUrl: string;
}

interface BarePostgresOptions {
  readonly port: number;
  readonly connectionsMax: number;
  /** Called as soon as there is a process that must be stopped. */
  readonly onSpawn: (service: Service) => void;
}

const endSteps = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** A server as somebody else operates it: with a superuser, and without roles and databases of the service. */
export async function startBarePostgres(
  home: string,
  { port, connectionsMax, onSpawn }: BarePostgresOptions,
): Promise<BarePostgres> {
  const log = () => undefined;
  const place = await placePostgres({ home, elsewhere: '/var/lib/council-report-service', log });
  const { initdb, postgres } = await postgresBinaries(place.directory, place.account, log);
  const data = await ensureCluster(place, initdb, log);
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    `max_connections=${connectionsMax}`,
  ];
  const service = await spawnService({
    name: 'PostgreSQL',
    command: postgres,
    args: ['-D', data, ...settings.flatMap(each => ['-c', each])],
    cwd: place.directory,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    logFile: join(home, 'logs', 'postgres.log'),
    account: place.account,
    endSteps,
  });
  onSpawn(service);
  const adminUrl = `postgres://postgres:${place.password}@127.0.0.1:${port}/postgres`;
  await until('PostgreSQL accepts connections', async () => {
    const ended = service.ended();
    // Backends of a killed server still run: the next start succeeds.
    if (ended !== undefined) throw await service.failure(ended);
    return answers(adminUrl);
  });
  return { ...service, adminUrl };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
