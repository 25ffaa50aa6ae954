import type { Stage } from '../../council/deliberation.js';
import type { CouncilModel } from '../../council/models.js';
import type { KeyVendor } from '../../council/vendor.js';
import type { Fault } from './fault.js';

/** A question that reached the simulator, in the vendor's format and with a key. Keys are not kept. */
export interface SimulatedCall {
  /** Whose API it came in by. */
  readonly vendor: KeyVendor;
  readonly model: CouncilModel;
  readonly stage: Stage;
  /** Of the key it came with: what `hash-key` makes of it. */
  readonly keyHash: string;
  /** Epoch milliseconds at which it was read. */
  readonly at: number;
  readonly system: string;
  readonly user: string;
  readonly fault: Fault['kind'] | null;
  /** True once the client has gone away without its whole answer. */
  readonly aborted: boolean;
}
