import { createServer } from 'node:http';
import { isInternal, type MetricsPage, metricsContentType } from '../../telemetry/metrics-page.js';

export interface Health {
  readonly ready: (metrics: MetricsPage) => void;
  readonly close: () => Promise<void>;
}

/**
 * `/healthz`, `/readyz` and, once there is something to tell, `/metrics` of a process that serves nothing else; nothing
 * at all without a port.
 */
export async function serveHealth(host: string, port: number | null): Promise<Health> {
  let isReady = false;
  let metrics: MetricsPage | null = null;
  const server = createServer((request, response) => {
    if (request.url === '/metrics' && metrics !== null && isInternal(request)) {
      void metrics().then(page => response.writeHead(200, { 'content-type': metricsContentType }).end(page));
      return;
    }
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
    ready: page => {
      metrics = page;
      isReady = true;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
