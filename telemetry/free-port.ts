import { createServer } from 'node:net';

/** A port of this machine that nobody listens on, for a part that cannot choose one by itself. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address === null || typeof address === 'string'
          ? reject(new Error('no port is free'))
          : resolve(address.port),
      );
    });
  });
}
