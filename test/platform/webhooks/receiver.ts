import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../support/listen.js';

/** A request as a receiver of webhooks gets it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The name that TLS asked for. */
  readonly servername: string | false;
}

/** A receiver on 127.0.0.1 that keeps what it gets. */
export interface Receiver {
  readonly port: number;
  readonly received: readonly Received[];
  /** Connections that were opened, whether a request came or not. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** @param tls key and certificate in PEM; without it, the receiver speaks http */
export async function startReceiver(
  respond: RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then(body => {
      const { method = '', url: path = '', headers, socket } = request;
      const servername = 'servername' in socket ? String(socket.servername) : false;
      received.push({ method, path, headers, body, servername });
      return respond(request, response);
    });
  };
  const server: Server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const port = await listen(server);
  return { port, received, connections: () => connections, close: () => closeServer(server) };
}
