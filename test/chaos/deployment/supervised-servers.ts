import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../../platform/embedded/postgres/start-postgres.js';
import { findTemporal } from '../../../platform/embedded/temporal/find-temporal.js';
import { startTemporal } from '../../../platform/embedded/temporal/start-temporal.js';
import { choosePort } from '../../../platform/net/free-port.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readTemporalManifest } from '../../../platform/temporal/manifest.js';
import type { Timeline } from '../faults/timeline.js';

/** For two APIs, two workers (deploy/README.md, "Sizing") and the suite itself. */
const connectionsMax = 150;
const restartAfterMs = 300;
/** Longer than any fault that prevents a restart, such as a full disk. */
const restartWithinMs = 180_000;

export type SupervisedServers = Awaited<ReturnType<typeof startServers>>;

/** PostgreSQL and Temporal as `npm start` runs them. Each is restarted on the same data when it dies. */
export async function startServers(home: string, timeline: Timeline) {
  const log = () => undefined;
  const { namespace, embedded_server } = readTemporalManifest(projectFiles.temporalManifest);
  const { flags } = embedded_server;
  const [postgresPort, temporalPort] = [await choosePort(0), await choosePort(0)];
  const binary = await findTemporal({ env: process.env, log });
  const postgres = new SupervisedServer('PostgreSQL', timeline, () =>
    startPostgres({ home, port: postgresPort, connectionsMax, log }),
  );
  const temporal = new SupervisedServer('Temporal', timeline, () =>
    startTemporal({ binary, home, namespace, port: temporalPort, uiPort: 0, flags, log }),
  );
  await Promise.all([postgres.start(), temporal.start()]);
  return { postgres, temporal };
}

interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** A server that is restarted whenever it ends. */
class SupervisedServer<Server extends Running> {
  private readonly name: string;
  private readonly timeline: Timeline;
  private readonly begin: () => Promise<Server>;
  private server: Server | null = null;
  private isUp = false;
  private ending = false;
  private lost: Error | null = null;

  constructor(name: string, timeline: Timeline, begin: () => Promise<Server>) {
    this.name = name;
    this.timeline = timeline;
    this.begin = begin;
  }

  async start(): Promise<void> {
    this.server = await this.begin();
    this.isUp = true;
    void this.server.exited.then(how => this.again(how));
  }

  /** The current or latest instance. */
  get now(): Server {
    if (this.server === null) throw new Error(`${this.name} has not been started`);
    return this.server;
  }

  /** Null while it is down. */
  get pid(): number | null {
    return this.isUp ? this.now.pid : null;
  }

  /** @throws Error when a restart has failed for good. */
  get up(): boolean {
    if (this.lost !== null) throw this.lost;
    return this.isUp;
  }

  async stop(): Promise<void> {
    this.ending = true;
    await this.server?.stop();
  }

  private async again(how: string): Promise<void> {
    this.isUp = false;
    const deadline = Date.now() + restartWithinMs;
    while (!this.ending) {
      await pause(restartAfterMs);
      try {
        await this.start();
        this.timeline.note(`${this.name} is back (${how})`);
        return;
      } catch (error) {
        this.timeline.note(`${this.name} did not restart: ${String(error).slice(0, 300)}`);
        if (Date.now() > deadline) {
          this.lost = new Error(`${this.name} could not be restarted`, { cause: error });
          return;
        }
      }
    }
  }
}
