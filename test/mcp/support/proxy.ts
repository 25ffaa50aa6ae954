import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the proxy does with a request: forward it, drop the response, or send this one instead. */
export type ProxyAction =
  | 'forward'
  | 'lose_response'
  | { readonly status: number; readonly body: string; readonly location?: string };

export interface Proxy {
  readonly url: string;
  /** Every request; `what` is like `GET /path`. */
  readonly requests: {
    readonly what: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** Decides on each request. Default: forward. */
  onRequest: (what: string) => ProxyAction | Promise<ProxyAction>;
  close(): Promise<void>;
}

/** Starts a proxy in front of the service at an address. */
export async function startProxy(target: string): Promise<Proxy> {
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the proxy is not listening on a port');
  const proxy: Proxy = {
    url: `http://127.0.0.1:${address.port}`,
    requests: [],
    onRequest: () => 'forward',
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const what = `${request.method} ${request.url?.split('?')[0]}`;
    proxy.requests.push({ what, headers: request.headers, body });
    const action = await proxy.onRequest(what);
    if (typeof action === 'object') {
      const { status, body: text, location } = action;
      response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) }).end(text);
      return;
    }
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: forwarded(request.headers),
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (action === 'lose_response') {
      response.destroy();
      return;
    }
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
    });
    response.end(text);
  }
}

function forwarded(headers: IncomingMessage['headers']): Record<string, string> {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
