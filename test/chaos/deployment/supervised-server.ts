import { setTimeout as pause } from 'node:timers/promises';
import type { Timeline } from '../faults/timeline.js';

const restartAfterMs = 300;
/** Longer than any fault that prevents a restart, such as a full disk. */
const restartWithinMs = 180_000;

/** A server that is restarted whenever it ends. */
export class SupervisedServer<Server extends Running> {
  readonly name: string;
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
    // It was stopped while it started.
    if (this.ending) return this.server.stop();
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

  /** Whether it was stopped for good. */
  get isOver(): boolean {
    return this.ending;
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

interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}
