import { createServer } from 'node:net';

/** The preferred TCP port if it is free, else a free one that the system picks. Port 0 means any free port. */
export async function choosePort(preferred = 0, host = '127.0.0.1'): Promise<number> {
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
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
