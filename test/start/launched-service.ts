import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled service as people start it, in a COUNCIL_HOME of its own. */
export class LaunchedService {
  readonly home: string;
  output = '';
  private child: ChildProcess | null = null;

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
    const child = spawn('node', ['dist/cli/start.js'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', ...env, COUNCIL_HOME: this.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const ready = await new Promise<string | null>(resolve => {
      const listen = (chunk: Buffer) => {
        this.output += chunk.toString();
        const url = /Ready: API (\S+)/.exec(this.output)?.[1];
        if (url !== undefined) resolve(url);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('exit', () => resolve(null));
    });
    if (ready === null) throw new Error(`the service did not start:\n${this.output}`);
    return ready;
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
