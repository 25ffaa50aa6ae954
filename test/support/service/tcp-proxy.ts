import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../listen.js';

/** A TCP proxy that a test can cut and restore. Cutting closes the open connections. */
export interface TcpProxy {
  /** `127.0.0.1:port`; unchanged after a restore. */
  readonly address: string;
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
  /** Breaks one connection, the next on which the request is sent after an earlier one. */
  readonly breakOnce: (at: BreakPoint) => void;
}

/** Where a connection breaks. The texts are parts of what the client sends. */
export interface BreakPoint {
  /** What the connection has sent before. */
  readonly after: string;
  readonly request: string;
  /** `request`: it does not reach the server. `response`: the server has answered, and the answer is lost. */
  readonly lost: 'request' | 'response';
  /** Whether the server cannot be reached afterwards, as after `cut`. */
  readonly isCut?: boolean;
}

/** Starts a proxy to the server at `host:port`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let breakPoint: BreakPoint | null = null;
  const server = createServer(serve);
  const port = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    cut,
    restore: async () => void (await listen(server, port)),
    breakOnce: at => {
      breakPoint = at;
    },
  };

  async function cut(): Promise<void> {
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  /** Watches what one connection sends for the point at which it is to break. */
  function watch(near: Socket, far: Socket): void {
    let reached: BreakPoint | null = null;
    const prepared = new Map<string, string>();
    near.on('data', (sent: Buffer) => {
      const text = withPrepared(sent.toString('latin1'), prepared);
      const at = breakPoint;
      if (at === null) return;
      if (text.includes(at.after)) reached = at;
      if (reached !== at || !text.includes(at.request)) return;
      breakPoint = null;
      far.unpipe(near);
      const end = () => {
        far.destroy();
        if (at.isCut === true) void cut();
        else near.destroy();
      };
      if (at.lost === 'request') end();
      else far.once('data', end).resume();
    });
  }

  function serve(near: Socket): void {
    const far = connect(Number(targetPort), hostname);
    // Before the pipes, so that a request can be kept from the server.
    watch(near, far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }
}

/** What a connection sends, with the text of each prepared statement that it names. The names are hashes. */
function withPrepared(sent: string, prepared: Map<string, string>): string {
  for (const [, name = '', text = ''] of sent.matchAll(/([0-9a-f]{32})\0([^\0]{9,})\0/g))
    prepared.set(name, text);
  const named = (sent.match(/[0-9a-f]{32}(?=\0)/g) ?? []).map(name => prepared.get(name));
  return [sent, ...named].join('\n');
}
