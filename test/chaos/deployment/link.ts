import { connect, createServer, type Server, type Socket } from 'node:net';
import { Flow } from './flow.js';

/**
 * The state of a link. `slow`: data arrive late. `stalled`: data are held until the condition ends. `closed`:
 * connections are reset and new ones refused. `half_open`: existing connections lose all data without being
 * closed, as when a firewall drops their state; new connections work, and the old ones are reset afterwards.
 * `cut`: existing and new connections lose all data, and are never closed, not even afterwards.
 */
export type LinkCondition =
  | { readonly kind: 'calm' | 'stalled' | 'closed' | 'half_open' | 'cut' }
  | { readonly kind: 'slow'; readonly ms: number };

/** A TCP proxy from one process to one server, with its own condition. */
export class Link {
  readonly name: string;
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private condition: LinkCondition = { kind: 'calm' };

  private constructor(name: string, targetPort: () => number) {
    this.name = name;
    this.server = createServer({ allowHalfOpen: true }, near => this.join(near, targetPort()));
  }

  /** @param targetPort read for every new connection, because a restarted server may use another port */
  static async lay(name: string, targetPort: () => number): Promise<Link> {
    const link = new Link(name, targetPort);
    await new Promise<void>((resolve, reject) => {
      link.server.once('error', reject);
      link.server.listen(0, '127.0.0.1', resolve);
    });
    return link;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Of the connections that were lost for good, how many either side still considers open. */
  get lostForGood(): { readonly near: number; readonly far: number } {
    const lost = [...this.pairs].filter(pair => pair.lost === 'for_good');
    return {
      near: lost.filter(({ isNearOpen }) => isNearOpen).length,
      far: lost.filter(({ isFarOpen }) => isFarOpen).length,
    };
  }

  become(condition: LinkCondition): void {
    this.condition = condition;
    if (condition.kind === 'closed') this.reset();
    for (const pair of this.pairs) {
      if (pair.lost === 'for_good') continue;
      // The next packet on a connection that the firewall has forgotten is answered with a reset.
      if (pair.lost === 'until_noticed') {
        pair.reset();
        continue;
      }
      if (condition.kind === 'half_open') pair.lost = 'until_noticed';
      if (condition.kind === 'cut') pair.lost = 'for_good';
      pair.flush();
    }
  }

  /** Resets every open connection. */
  reset(): void {
    for (const pair of this.pairs) pair.reset();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    this.reset();
    await closed;
  }

  private join(near: Socket, port: number): void {
    if (this.condition.kind === 'closed') {
      near.on('error', () => undefined);
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const pair = new Pair(near, far, () => this.condition);
    if (this.condition.kind === 'cut') pair.lost = 'for_good';
    this.pairs.add(pair);
    pair.onGone(() => this.pairs.delete(pair));
  }
}

class Pair {
  /** Whether everything on it is lost, without being closed. */
  lost: 'no' | 'until_noticed' | 'for_good' = 'no';
  isNearOpen = true;
  isFarOpen = true;
  private readonly sockets: readonly [Socket, Socket];
  private readonly flows: readonly Flow[];

  constructor(near: Socket, far: Socket, condition: () => LinkCondition) {
    const delayMs = () => {
      const now = condition();
      if (this.lost !== 'no') return 'lost';
      if (now.kind === 'stalled') return 'held';
      return now.kind === 'slow' ? now.ms : 0;
    };
    this.sockets = [near, far];
    this.flows = [new Flow(near, far, delayMs), new Flow(far, near, delayMs)];
    for (const event of ['end', 'close']) {
      near.once(event, () => (this.isNearOpen = false));
      far.once(event, () => (this.isFarOpen = false));
    }
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true);
      one.on('error', () => {
        if (this.lost === 'no') other.resetAndDestroy();
      });
      one.on('close', () => {
        if (this.lost === 'no' && !other.writableEnded) other.destroy();
      });
    }
  }

  flush(): void {
    for (const flow of this.flows) flow.flush();
  }

  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  onGone(tell: () => void): void {
    let left = this.sockets.length;
    for (const socket of this.sockets) {
      socket.once('close', () => {
        left--;
        if (left === 0) tell();
      });
    }
  }
}
