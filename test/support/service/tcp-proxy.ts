import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that a test can cut and restore. Cutting closes the open connections. */
export interface TcpProxy {
  /** `127.0.0.1:port`; unchanged after a restore. */
  readonly address: string;
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
}

/** Starts a proxy to the server at `host:port`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let server = await listen(0);
  const { port } = addressOf(server);
  return {
    address: `127.0.0.1:${port}`,
    cut: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: async () => {
      server = await listen(port);
    },
  };

  function listen(onPort: number): Promise<Server> {
    const opened = createServer(near => {
      const far = connect(Number(targetPort), hostname);
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
    });
    return new Promise((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(onPort, '127.0.0.1', () => resolve(opened));
    });
  }
}

function addressOf(server: Server): { port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no address');
  return address;
}
