import type { FaultRule, SimulatedCall } from '../../../simulator/faults.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { editionIn, type GammaStandIn, startGammaStandIn } from './gamma-stand-in.js';

/** A model call, as the simulator logged it. */
export interface ModelRequest extends Pick<SimulatedCall, 'model' | 'stage' | 'keyHash' | 'at' | 'fault'> {
  /** The market snapshot that the call is about. */
  readonly edition: number | null;
}

const latencyMs = { min: 150, max: 1_800 } as const;
const collectEveryMs = 100;

/** The vendors and the market, which no fault of the deployment affects. */
export class Outside {
  readonly simulator: Simulator;
  readonly market: GammaStandIn;
  /** Every call so far. */
  readonly requests: ModelRequest[] = [];
  private latest: SimulatedCall | undefined;

  private constructor(simulator: Simulator, market: GammaStandIn) {
    this.simulator = simulator;
    this.market = market;
    setInterval(() => this.collect(), collectEveryMs).unref();
  }

  static async start(): Promise<Outside> {
    return new Outside(await startSimulator({ latencyMs }), await startGammaStandIn());
  }

  /** Replaces the vendors' fault rules. */
  setFaults(rules: readonly FaultRule[]): void {
    this.simulator.clearFaults();
    for (const { fault, ...match } of rules) this.simulator.setFault(match, fault);
  }

  /** The simulator keeps only its latest calls. */
  private collect(): void {
    const { calls } = this.simulator;
    const known = this.latest === undefined ? 0 : calls.lastIndexOf(this.latest) + 1;
    for (const { user, model, stage, keyHash, at, fault } of calls.slice(known)) {
      this.requests.push({ edition: editionIn(user), model, stage, keyHash, at, fault });
    }
    this.latest = calls.at(-1);
  }
}

/** The house's provider keys. Customers' own keys look different. */
export const houseKeys = {
  openai: 'house-openai-key',
  anthropic: 'house-anthropic-key',
  google: 'house-google-key',
  xai: 'house-xai-key',
} as const;
