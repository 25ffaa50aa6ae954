import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isInternal, type MetricsPage, metricsContentType } from './metrics-page.js';

/** A page for operators or their programs, in plain text or JSON. */
export interface OperatorPage {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface OperatorServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves pages for operators on a port of its own, apart from what callers reach: no proxy and no load balancer of the
 * callers leads to it.
 * @param port 0 selects a free port
 * @param pageAt the page of a request; null for a path at which there is nothing
 */
export async function serveOperators(
  host: string,
  port: number,
  pageAt: (request: IncomingMessage) => Promise<OperatorPage | null>,
): Promise<OperatorServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, type, text } = (await pageAt(request).catch(() => failed)) ?? nothing;
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server.address())}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * `/metrics` on such a port. Should the port be reachable from outside after all, a caller there still finds nothing, as
 * does one whose request a proxy forwards.
 */
export async function metricsAt(request: IncomingMessage, page: MetricsPage): Promise<OperatorPage | null> {
  if (request.url !== '/metrics' || !isInternal(request)) return null;
  return { status: 200, type: metricsContentType, text: await page() };
}

export function statusPage(status: number, text: string): OperatorPage {
  return { status, type: 'application/json', text: JSON.stringify({ status: text }) };
}

const nothing = statusPage(404, 'not found');
const failed = statusPage(500, 'failed');

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address.port;
}
