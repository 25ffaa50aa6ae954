import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import type { ApiContext } from './context.js';

export interface Served {
  readonly url: string;
  /** Lets requests in flight finish, for a while. */
  readonly close: () => Promise<void>;
}

/** A caller who prefers to wait holds a connection for up to 50 s; a process that ends does not wait that long. */
const drainMs = 5_000;

/** Puts the API on an address. @param port 0 takes a free one. */
export async function serve(context: ApiContext, host: string, port: number): Promise<Served> {
  const server = createServer(createApp(context));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${portOf(server.address())}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), drainMs).unref();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the API listens on no port');
  return address.port;
}
