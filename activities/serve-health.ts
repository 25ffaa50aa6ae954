import { createServer } from 'node:http';

export interface Health {
  readonly ready: () => void;
  readonly close: () => Promise<void>;
}

/** `/healthz` and `/readyz` of a process that serves nothing else; nothing at all without a port. */
export async function serveHealth(host: string, port: number | null): Promise<Health> {
  let isReady = false;
  const server = createServer((request, response) => {
    const well = request.url === '/healthz' || (request.url === '/readyz' && isReady);
    const known = well || request.url === '/readyz';
    response.writeHead(well ? 200 : known ? 503 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: well ? 'ok' : known ? 'not ready' : 'not found' }));
  });
  if (port !== null) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  }
  return {
    ready: () => {
      isReady = true;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
