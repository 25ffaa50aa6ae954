import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endMessage } from '../../../platform/settings/lifetime.js';
import { until } from '../until.js';

export interface ServiceProcessOptions {
  /** The name in messages and of its log. */
  readonly name: string;
  /** The compiled module. */
  readonly module: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where it serves its health checks, and the API its routes. */
  readonly port: number;
  /** Where the API serves its metrics. Default: a worker does at `port`. */
  readonly metricsPort?: number;
  readonly logFile: string;
  /** It ends with this process, and ignores SIGTERM, as under `npm start`. */
  readonly tied?: boolean;
  /** Called whenever the process ends. */
  readonly onEnd?: (end: EndedProcess) => void;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface EndedProcess extends ProcessEnd {
  readonly pid: number;
}

/** An API or a worker as a separate process, which can be killed and restarted. */
export class ServiceProcess {
  readonly name: string;
  readonly url: string;
  /** Where `/metrics` is. */
  readonly metricsUrl: string;
  private readonly options: ServiceProcessOptions;
  private child: ChildProcess | null = null;
  private end: Promise<ProcessEnd> = Promise.resolve({ code: null, signal: null });

  constructor(options: ServiceProcessOptions) {
    this.options = options;
    this.name = options.name;
    this.url = `http://127.0.0.1:${options.port}`;
    this.metricsUrl = `http://127.0.0.1:${options.metricsPort ?? options.port}`;
  }

  /** Starts or restarts it. */
  start(): this {
    const { module, env, port, metricsPort, logFile, tied = false, onEnd = () => undefined } = this.options;
    const log = openSync(logFile, 'a');
    const child = spawn('node', [module], {
      env: {
        ...env,
        PORT: String(port),
        ...(metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort) }),
      },
      stdio: ['ignore', log, log, ...(tied ? ['ipc' as const] : [])],
    });
    closeSync(log);
    this.child = child;
    this.end = new Promise(resolve => {
      child.once('exit', (code, signal) => {
        resolve({ code, signal });
        onEnd({ code, signal, pid: child.pid ?? 0 });
      });
    });
    return this;
  }

  /** Null while it does not run. */
  get pid(): number | null {
    const { child } = this;
    return child === null || child.exitCode !== null || child.signalCode !== null
      ? null
      : (child.pid ?? null);
  }

  /** Whether `/readyz` succeeds. */
  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
      async response => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  }

  async ready(): Promise<this> {
    await until(`${this.name} is ready`, () => this.isReady());
    return this;
  }

  kill(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** How it ended, when it has. */
  ended(): Promise<ProcessEnd> {
    return this.end;
  }

  /** Stops it as its supervisor would. */
  async stop(): Promise<ProcessEnd> {
    if (this.pid === null) return this.end;
    this.kill('SIGCONT');
    if (this.options.tied) this.child?.send(endMessage);
    else this.kill('SIGTERM');
    return this.end;
  }
}
