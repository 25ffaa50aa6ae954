import { createServer } from 'node:net';

/** The preferred TCP port if nobody listens on it, else a free one that the system picks. */
export async function choosePort(preferred: number, host = '127.0.0.1'): Promise<number> {
  try {
    return await listenOnce(preferred, host);
  } catch {
    return await listenOnce(0, host);
  }
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(taken));
    });
  });
}
