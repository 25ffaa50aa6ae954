import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.js';

/** A database that was killed is recovered first, and a busy machine takes its time. */
const startPatienceMs = 90_000;

/** The compiled service as people start it, in a COUNCIL_HOME of its own. */
export class LaunchedService {
  readonly home: string;
  output = '';
  private child: ChildProcess | null = null;
  private startedAt = 0;

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
    this.startedAt = Date.now();
    this.child = spawn('node', ['dist/cli/start.js'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', ...env, COUNCIL_HOME: this.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    return this.ready(1);
  }

  /** Waits until it has said so many times that it is ready. @returns the address of the API. */
  async ready(times: number): Promise<string> {
    const addresses = () =>
      [...this.output.matchAll(/Ready: API (\S+)/g)].map(([, address]) => address ?? '');
    await until(
      'the service is ready',
      () => this.hasEnded || addresses().length >= times,
      Boolean,
      startPatienceMs,
    );
    const address = addresses()[times - 1];
    if (address === undefined) throw new Error(`the service did not start:\n${this.output}`);
    return address;
  }

  get upMs(): number {
    return Date.now() - this.startedAt;
  }

  private get hasEnded(): boolean {
    return this.child === null || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The one API key that a first start prints. */
  get key(): string {
    return /pc_live_\w+/.exec(this.output)?.[0] ?? '';
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

  async remove(): Promise<void> {
    this.signal('SIGTERM');
    await this.exited();
    await rm(this.home, { recursive: true, force: true });
  }
}
