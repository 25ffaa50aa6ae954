import { randomInt } from 'node:crypto';
import { choosePort } from '../../../platform/net/free-port.js';

/** Systems take the ports of outgoing connections from above these. */
const lowPorts = { from: 10_000, below: 32_000 } as const;
/** A chosen port is free until its process listens. */
const chosen = new Set<number>();

/**
 * A free port that no outgoing connection gets: one that did would keep a killed process from listening again. Temporal
 * stores the port of its membership in a signed integer of 16 bits, which these fit into as well.
 */
export async function chooseLowPort(): Promise<number> {
  for (;;) {
    const port = await choosePort(randomInt(lowPorts.from, lowPorts.below));
    if (port >= lowPorts.below || chosen.has(port)) continue;
    chosen.add(port);
    return port;
  }
}
