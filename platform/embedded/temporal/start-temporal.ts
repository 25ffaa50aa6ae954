import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { Connection } from '@temporalio/client';
import { choosePort } from '../../net/free-port.js';
import { endProcess, findProcesses, waitUntil } from '../process/processes.js';
import { type Service, spawnService } from '../process/spawn-service.js';
import { type TemporalFiles, temporalFiles } from './temporal-files.js';

const END_STEPS = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

const READY_MS = 60_000;
const ATTEMPTS = 4;

/** The caller holds the lock of the home. */
export interface TemporalOptions {
  readonly binary: string;
  readonly home: string;
  readonly namespace: string;
  /** The preferred ports; others are used if they are taken. */
  readonly port?: number | undefined;
  readonly uiPort?: number | undefined;
  /** More flags for `temporal server start-dev`. */
  readonly flags: readonly string[];
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A running Temporal dev server. */
export interface EmbeddedTemporal {
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
  /** Resolves with a sentence when the server has ended. Never rejects. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the Temporal dev server of this home on 127.0.0.1, and waits until it is usable. Stops an orphan first. */
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
      const lastLines = await service.lastLines();
      await service.stop();
      // The server picks some more ports; another program may take one of them first.
      if (!lastLines.includes('address already in use') || attempt === ATTEMPTS) throw error;
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
    // HOME: the server must not read the user's own Temporal settings.
    env: { HOME: home, PATH: '/usr/bin:/bin', ...goSettings() },
    logFile,
    endSteps: END_STEPS,
  });
}

/**
 * Settings of the Go runtime. By default it uses every core and collects garbage whenever the heap has doubled. With
 * half the cores and less frequent collections, a report takes a tenth less CPU on a machine that also runs the
 * service.
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
  let lastError: unknown;
  const check = async (): Promise<true | undefined> => {
    const ready = await temporalReady(address, namespace).catch((error: unknown) => {
      lastError = error;
      return undefined;
    });
    // Last, because another program's server may have taken the port and answered: ours has ended then.
    const ended = service.ended();
    if (ended !== undefined) throw await service.failure(ended);
    return ready;
  };
  if ((await waitUntil(check, { timeoutMs: READY_MS, signal })) === true) return;
  const reason = lastError instanceof Error ? lastError.message : String(lastError);
  throw await service.failure(`Temporal was not usable within ${READY_MS / 1000} s (${reason})`);
}

/** Resolves when the server answers and has the namespace; rejects with the reason otherwise. */
async function temporalReady(address: string, namespace: string): Promise<true> {
  await listens(address);
  // Bypass a configured proxy, which cannot reach this machine.
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

/** This is checked first, because gRPC waits a second after a refused connection before it tries again. */
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
