import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { Connection } from '@temporalio/client';
import { choosePort } from '../../net/free-port.js';
import { endProcess, findProcesses } from '../process/processes.js';
import { type Service, spawnService } from '../process/spawn-service.js';
import { waitUntil } from '../process/wait-until.js';
import { type TemporalFiles, temporalFiles } from './temporal-files.js';

const END_STEPS = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

const READY_MS = 60_000;
const ATTEMPTS = 4;

/** What {@link startTemporal} needs. The caller holds the lock of the home. */
export interface TemporalOptions {
  readonly binary: string;
  readonly home: string;
  readonly namespace: string;
  /** Preferred ports; others are taken when these are not free. */
  readonly port?: number | undefined;
  readonly uiPort?: number | undefined;
  /** Further flags of `temporal server start-dev`. */
  readonly flags: readonly string[];
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A running Temporal dev server of our own. */
export interface EmbeddedTemporal {
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
  /** Resolves, never rejects, with how the server ended. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the Temporal dev server of this home on 127.0.0.1, after stopping an orphan of a killed run; it is usable when this resolves. */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { log, namespace, signal } = options;
  const files = temporalFiles(await realpath(options.home));
  await stopOrphans(files.database, log);
  await files.setAsideIncomplete();
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(options.port ?? 7233);
    const uiPort = await choosePort(options.uiPort ?? 8233);
    const address = `127.0.0.1:${port}`;
    const uiUrl = `http://127.0.0.1:${uiPort}`;
    const service = await spawnTemporal(options, files, port, uiPort);
    try {
      await untilReady(service, address, namespace, signal);
      await files.markComplete();
      log(`Temporal: ready on ${address}, Web UI on ${uiUrl}`);
      return { address, uiUrl, pid: service.pid, exited: service.exited, stop: service.stop };
    } catch (error) {
      const words = await service.lastLines();
      await service.stop();
      // The server takes some further ports by itself; any of them may be snatched before it listens.
      if (!words.includes('address already in use') || attempt === ATTEMPTS) throw error;
    }
  }
}

async function stopOrphans(database: string, log: (line: string) => void): Promise<void> {
  const isOurs = (line: string) =>
    line.includes(' server start-dev ') && `${line} `.includes(` ${databaseFlag(database)} `);
  for (const pid of await findProcesses(isOurs)) {
    log(`Temporal: stopping process ${pid}, left over from a run that was killed`);
    await endProcess(pid, END_STEPS);
  }
}

function databaseFlag(database: string): string {
  return `--db-filename=${database}`;
}

function spawnTemporal(
  { binary, home, namespace, flags }: TemporalOptions,
  { database, logFile }: TemporalFiles,
  port: number,
  uiPort: number,
): Promise<Service> {
  const ports = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)];
  return spawnService({
    name: 'Temporal',
    command: binary,
    args: ['server', 'start-dev', databaseFlag(database), ...ports, '--namespace', namespace, ...flags],
    cwd: home,
    // HOME: the user's own Temporal settings are none of this server's business.
    env: { HOME: home, PATH: '/usr/bin:/bin', ...goSettings() },
    logFile,
    endSteps: END_STEPS,
  });
}

/**
 * How Go runs the server. By itself it takes every core, and gathers its garbage whenever that has doubled; beside
 * PostgreSQL, the API and the worker, half the cores and a rarer gathering take a tenth less of the machine for each report.
 */
function goSettings(): NodeJS.ProcessEnv {
  return {
    GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    GOGC: '400',
    GOMEMLIMIT: '768MiB',
  };
}

async function untilReady(
  service: Service,
  address: string,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  let last: unknown;
  const check = async (): Promise<true | undefined> => {
    const ended = service.ended();
    if (ended !== undefined) throw await service.failure(ended);
    return temporalReady(address, namespace).catch((error: unknown) => {
      last = error;
      return undefined;
    });
  };
  if ((await waitUntil(check, { timeoutMs: READY_MS, signal })) === true) return;
  const reason = last instanceof Error ? last.message : String(last);
  throw await service.failure(`Temporal was not usable within ${READY_MS / 1000} s (${reason})`);
}

/** Whether the server answers and knows the namespace; rejects with the reason while it does not. */
async function temporalReady(address: string, namespace: string): Promise<true> {
  await listens(address);
  // A proxy set for the outside world is no way to this machine itself.
  const channelArgs = { 'grpc.enable_http_proxy': 0 };
  const connection = await Connection.connect({ address, connectTimeout: 1_000, channelArgs });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } finally {
    await connection.close();
  }
}

/** Asked first, because gRPC waits a whole second after a refused connection before it tries again. */
function listens(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
