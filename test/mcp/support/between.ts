import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What a test does to a request on its way: something first, or an answer of its own, or losing the real one. */
export type Deed =
  | 'forward'
  | 'lose_answer'
  | { readonly status: number; readonly body: string; readonly location?: string };

export interface Between {
  readonly url: string;
  /** Every request that passed, as `GET /path`, with what a test may want to look at. */
  readonly seen: {
    readonly what: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** Decides on each request; forwards unless told. */
  onRequest: (what: string) => Deed | Promise<Deed>;
  close(): Promise<void>;
}

/** Stands between a client and the service at an address. */
export async function standBetween(target: string): Promise<Between> {
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('nowhere to stand');
  const between: Between = {
    url: `http://127.0.0.1:${address.port}`,
    seen: [],
    onRequest: () => 'forward',
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return between;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const what = `${request.method} ${request.url?.split('?')[0]}`;
    between.seen.push({ what, headers: request.headers, body });
    const deed = await between.onRequest(what);
    if (typeof deed === 'object') {
      const { status, body: text, location } = deed;
      response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) }).end(text);
      return;
    }
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: forwarded(request.headers),
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (deed === 'lose_answer') {
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
