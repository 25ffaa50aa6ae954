import { connect } from 'node:net';
import { Link } from '../../chaos/deployment/link.js';

const probeEveryMs = 100;

/**
 * What stands in front of several processes of one kind in a deployment: it passes each new connection to the next of
 * them that accepts connections.
 */
export class Balancer {
  private readonly link: Link;
  private readonly timer: NodeJS.Timeout;

  private constructor(link: Link, timer: NodeJS.Timeout) {
    this.link = link;
    this.timer = timer;
  }

  /** @param ports those of the processes that should run at the moment */
  static async lay(name: string, ports: () => readonly number[]): Promise<Balancer> {
    let accepting: readonly number[] = [];
    let turn = 0;
    const probe = async () => {
      const probed = await Promise.all(ports().map(async port => ((await accepts(port)) ? [port] : [])));
      accepting = probed.flat();
    };
    const link = await Link.lay(name, () => {
      const candidates = accepting.length > 0 ? accepting : ports();
      return candidates[turn++ % candidates.length] ?? 0;
    });
    return new Balancer(
      link,
      setInterval(() => void probe(), probeEveryMs),
    );
  }

  get address(): string {
    return `127.0.0.1:${this.link.port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.link.close();
  }
}

/** Whether a process of this machine accepts connections. */
export function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
