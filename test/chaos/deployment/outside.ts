import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FaultRule, SimulatedCall } from '../../../simulator/faults.js';
import type { MarketBehaviour } from './gamma-stand-in.js';

/** A model call, as the simulator logged it. */
export interface ModelRequest
  extends Pick<SimulatedCall, 'model' | 'stage' | 'keyHash' | 'vendor' | 'at' | 'fault'> {
  /** The market snapshot that the call is about. */
  readonly edition: number | null;
}

export interface OutsideCommand {
  readonly market: MarketBehaviour;
}

export type OutsideMessage =
  | { readonly ready: { readonly simulatorUrl: string; readonly gammaUrl: string } }
  | { readonly calls: readonly ModelRequest[] };

/** The vendors and the market, which run in a separate process. */
export class Outside {
  readonly simulatorUrl: string;
  readonly gammaUrl: string;
  /** Every call so far. */
  readonly requests: ModelRequest[];
  private readonly child: ChildProcess;

  private constructor(
    child: ChildProcess,
    requests: ModelRequest[],
    urls: { simulatorUrl: string; gammaUrl: string },
  ) {
    this.child = child;
    this.requests = requests;
    this.simulatorUrl = urls.simulatorUrl;
    this.gammaUrl = urls.gammaUrl;
  }

  static async start(): Promise<Outside> {
    const child = fork(fileURLToPath(new URL('./outside-process.js', import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const requests: ModelRequest[] = [];
    return new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('the vendors and the market did not start')));
      child.on('message', (news: OutsideMessage) => {
        if ('ready' in news) resolve(new Outside(child, requests, news.ready));
        else requests.push(...news.calls);
      });
    });
  }

  /** Replaces the vendors' fault rules. */
  async setFaults(rules: readonly FaultRule[]): Promise<void> {
    const response = await fetch(`${this.simulatorUrl}/simulator/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rules),
    });
    if (!response.ok) throw new Error(`the simulator rejected the fault rules: ${await response.text()}`);
    await response.arrayBuffer();
  }

  setMarket(market: MarketBehaviour): void {
    this.child.send({ market } satisfies OutsideCommand);
  }

  async stop(): Promise<void> {
    const gone = new Promise(resolve => this.child.once('exit', resolve));
    this.child.disconnect();
    await gone;
  }
}

/** The house's provider keys. Customers' own keys look different. */
export const houseKeys = {
  openai: 'house-openai-key',
  anthropic: 'house-anthropic-key',
  google: 'house-google-key',
  xai: 'house-xai-key',
} as const;
