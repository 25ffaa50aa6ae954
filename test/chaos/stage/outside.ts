import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FaultRule, SimulatedCall } from '../../../providers/simulator/faults.js';
import type { MarketMood } from './gamma-stand-in.js';

/** A question to a model, as the simulator saw it. */
export interface Asked
  extends Pick<SimulatedCall, 'model' | 'stage' | 'keyHash' | 'vendor' | 'at' | 'fault'> {
  /** Of the frozen market that it is about. */
  readonly edition: number | null;
}

export interface OutsideOrder {
  readonly market: MarketMood;
}

export type OutsideNews =
  | { readonly ready: { readonly simulatorUrl: string; readonly gammaUrl: string } }
  | { readonly calls: readonly Asked[] };

/** The world outside of the service, in a process of its own. */
export class Outside {
  readonly simulatorUrl: string;
  readonly gammaUrl: string;
  /** Every question so far. */
  readonly asked: Asked[];
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, asked: Asked[], urls: { simulatorUrl: string; gammaUrl: string }) {
    this.child = child;
    this.asked = asked;
    this.simulatorUrl = urls.simulatorUrl;
    this.gammaUrl = urls.gammaUrl;
  }

  static async start(): Promise<Outside> {
    const child = fork(fileURLToPath(new URL('./outside-process.js', import.meta.url)), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const asked: Asked[] = [];
    return new Promise((resolve, reject) => {
      child.once('exit', () => reject(new Error('the world outside did not come up')));
      child.on('message', (news: OutsideNews) => {
        if ('ready' in news) resolve(new Outside(child, asked, news.ready));
        else asked.push(...news.calls);
      });
    });
  }

  /** How the vendors' answers fail from now on. */
  async setFaults(rules: readonly FaultRule[]): Promise<void> {
    const response = await fetch(`${this.simulatorUrl}/simulator/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rules),
    });
    if (!response.ok) throw new Error(`the simulator takes no such fault: ${await response.text()}`);
    await response.arrayBuffer();
  }

  setMarket(market: MarketMood): void {
    this.child.send({ market } satisfies OutsideOrder);
  }

  async stop(): Promise<void> {
    const gone = new Promise(resolve => this.child.once('exit', resolve));
    this.child.disconnect();
    await gone;
  }
}

/** What the house asks the models with; callers' own keys look otherwise. */
export const houseKeys = {
  openai: 'house-openai-key',
  anthropic: 'house-anthropic-key',
  google: 'house-google-key',
  xai: 'house-xai-key',
} as const;
