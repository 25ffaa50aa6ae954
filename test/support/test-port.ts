import { choosePort } from '../../platform/net/free-port.js';

/**
 * A port for a server whose address is needed before it listens. Below the ports that the system gives to others, each
 * test process in a range of its own: between the choice and the use, nobody else takes it.
 */
export function testPort(): Promise<number> {
  nextPort = nextPort === lastPort ? firstPort : nextPort + 1;
  return choosePort(nextPort);
}

const portsPerProcess = 1_000;
const firstPort = 20_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % 12) * portsPerProcess;
const lastPort = firstPort + portsPerProcess - 1;
let nextPort = firstPort + Math.floor(Math.random() * portsPerProcess);
