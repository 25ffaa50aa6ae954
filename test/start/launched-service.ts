import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunning } from '../../cli/launch/running-service.js';
import { connect, type Db } from '../../db/database.js';
import { allPids, readProc } from '../support/machine/proc.js';
import { testPort } from '../support/test-port.js';
import { patienceMs, until } from '../support/until.js';

/** A run must not fail because the machine is slow. */
const patientService = { NODE_OPTIONS: '', STAGE_DEADLINES_MS: '180000,180000,180000' };

/** The compiled service, started as by `npm start`, in its own COUNCIL_HOME. */
export class LaunchedService {
  readonly home: string;
  output = '';
  private child: ChildProcess | null = null;
  private readyAt = 0;

  private constructor(home: string) {
    this.home = home;
  }

  static async inNewHome(): Promise<LaunchedService> {
    const home = await mkdtemp(join(tmpdir(), 'council-start-'));
    await chmod(home, 0o711);
    return new LaunchedService(home);
  }

  /** Starts it and waits for the ready line. @returns the address of the API. */
  async start(env: Record<string, string> = {}): Promise<string> {
    this.output = '';
    const ports = { PORT: String(await testPort()), METRICS_PORT: String(await testPort()) };
    this.child = spawn('node', ['dist/cli/start.js'], {
      env: { ...process.env, ...patientService, ...ports, ...env, COUNCIL_HOME: this.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    return this.ready(1);
  }

  /** Waits for the ready line to appear this many times. @returns the address of the API. */
  async ready(times: number): Promise<string> {
    const addresses = () =>
      [...this.output.matchAll(/Ready: API (\S+)/g)].map(([, address]) => address ?? '');
    const deadline = Date.now() + patienceMs;
    await until(
      'the service is ready, has ended or is late',
      () => this.hasEnded || addresses().length >= times || Date.now() > deadline,
    );
    const address = addresses()[times - 1];
    if (address === undefined) throw new Error(`the service did not start:\n${this.output}`);
    this.readyAt = Date.now();
    return address;
  }

  /** Milliseconds since it was last found ready. */
  get upMs(): number {
    return Date.now() - this.readyAt;
  }

  private get hasEnded(): boolean {
    return this.child === null || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The API key that the first start prints. */
  get key(): string {
    return /pc_live_\w+/.exec(this.output)?.[0] ?? '';
  }

  /** How the demo account of the first start signs in. */
  get demo(): { readonly email: string; readonly password: string } {
    const printed = (name: string) => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(this.output)?.[1] ?? '';
    return { email: printed('e-mail'), password: printed('password') };
  }

  /** Uses its database, as the service does. */
  async withDb<Result>(use: (db: Db) => Promise<Result>): Promise<Result> {
    const { db, close } = connect(findRunning(this.home)?.databaseUrl ?? '', () => undefined);
    try {
      return await use(db);
    } finally {
      await close();
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** The exit code; null after a signal. */
  async exited(): Promise<number | null> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    return new Promise(resolve => child.once('exit', code => resolve(code)));
  }

  /**
   * Stops it and deletes its home. A service that does not stop in time is killed, with everything it
   * started.
   */
  async remove(): Promise<void> {
    this.signal('SIGTERM');
    const late = setTimeout(() => {
      for (const pid of processesOf(this.home)) process.kill(pid, 'SIGKILL');
    }, patienceMs / 4);
    await this.exited();
    clearTimeout(late);
    await rm(this.home, { recursive: true, force: true });
  }
}

/**
 * The processes of a COUNCIL_HOME: its path is in their command line or environment.
 * @param running part of the command line, to select some of them
 */
export function processesOf(home: string, running = ''): number[] {
  return allPids().filter(pid => {
    if (pid === process.pid) return false;
    const command = readProc(pid, 'cmdline');
    const text = command + readProc(pid, 'environ');
    return command.includes(running) && text.includes(home);
  });
}
