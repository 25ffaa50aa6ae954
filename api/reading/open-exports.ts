import { exportsOpenMax, exportsOpenPerAddressMax } from '../../purchase/limits.js';
import { Problem } from '../http/problem.js';

/** Limits how many exports this process sends at a time, each of which holds a connection and a page in memory. */
export interface OpenExports {
  /**
   * @returns what to call, once, when the export has ended
   * @throws Problem `rate_limited`, `unavailable`
   */
  enter(address: string): () => void;
}

export function createOpenExports(): OpenExports {
  const openByAddress = new Map<string, number>();
  let open = 0;
  const count = (address: string, by: 1 | -1) => {
    open += by;
    const ofAddress = (openByAddress.get(address) ?? 0) + by;
    if (ofAddress === 0) openByAddress.delete(address);
    else openByAddress.set(address, ofAddress);
  };
  return {
    enter: address => {
      if ((openByAddress.get(address) ?? 0) >= exportsOpenPerAddressMax) {
        const detail = `At most ${exportsOpenPerAddressMax} exports at a time are sent to an address.`;
        throw new Problem('rate_limited', detail, { retryAfterSeconds });
      }
      if (open >= exportsOpenMax)
        throw new Problem('unavailable', 'Too many exports are being sent.', { retryAfterSeconds });
      count(address, 1);
      return () => count(address, -1);
    },
  };
}

const retryAfterSeconds = 10;
