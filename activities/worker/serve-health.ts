import type { MetricsPage } from '../../platform/telemetry/metrics-page.js';
import { metricsAt, serveOperators, statusPage } from '../../platform/telemetry/serve-operators.js';

export interface Health {
  readonly ready: (metrics: MetricsPage) => void;
  readonly close: () => Promise<void>;
}

/**
 * `/healthz`, `/readyz` and, once there is something to tell, `/metrics` of a process that serves nothing else; nothing
 * at all without a port.
 */
export async function serveHealth(host: string, port: number | null): Promise<Health> {
  let metrics: MetricsPage | null = null;
  const ready = (page: MetricsPage) => {
    metrics = page;
  };
  if (port === null) return { ready, close: () => Promise.resolve() };
  const server = await serveOperators(host, port, async request => {
    if (request.url === '/healthz') return statusPage(200, 'ok');
    if (request.url === '/readyz')
      return metrics === null ? statusPage(503, 'not ready') : statusPage(200, 'ok');
    return metrics === null ? null : metricsAt(request, metrics);
  });
  return { ready, close: server.close };
}
