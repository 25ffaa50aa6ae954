import type { Stage } from '../../council/deliberation.js';
import type { CouncilModel } from '../../council/models.js';
import type { Fault } from './fault.js';

/** A question that reached the simulator, in the vendor's format and with a key. Keys are not kept. */
export interface SimulatedCall {
  readonly model: CouncilModel;
  readonly stage: Stage;
  /** Epoch milliseconds at which it was read. */
  readonly at: number;
  readonly system: string;
  readonly user: string;
  readonly fault: Fault['kind'] | null;
  /** True once the client has gone away without its whole answer. */
  readonly aborted: boolean;
}
