import { createServer } from 'node:net';
import { errorCode } from '../embedded/error-code.js';

/** What is on a TCP port: nothing, somebody, or no right or way to listen there (the system's code). */
export type PortState = 'free' | 'taken' | { readonly code: string };

/** Listens for a moment, which is the only way to know. */
export function probePort(port: number, host: string): Promise<PortState> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', error => {
      const code = errorCode(error) ?? 'unknown';
      resolve(code === 'EADDRINUSE' ? 'taken' : { code });
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}
