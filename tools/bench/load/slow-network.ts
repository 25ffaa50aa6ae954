import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SlowNetwork {
  /** The address of the database behind it. */
  readonly databaseUrl: string;
  readonly close: () => Promise<void>;
}

/** A network between this process and the database: what the database answers arrives later by this time. */
export async function slowNetwork(databaseUrl: string, delayMs: number): Promise<SlowNetwork> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer(near => {
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    near.setNoDelay(true);
    near.pipe(far);
    // Timers of one length fire in the order in which they were set, so nothing overtakes.
    far.on('data', (bytes: Buffer) => setTimeout(() => near.write(bytes), delayMs));
    far.on('end', () => setTimeout(() => near.end(), delayMs));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address())));
  });
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    databaseUrl: url.href,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the network has no port');
  return address.port;
}
