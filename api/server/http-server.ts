import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import {
  answerWithinSeconds,
  connectionsMax,
  headersMaxBytes,
  headersWithinSeconds,
  requestWithinSeconds,
} from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { uncached } from '../http/cache-control.js';
import { Problem } from '../http/problem.js';

/** How long a request may take to arrive, and its caller to take the answer. Tests shorten it. */
export interface RequestTimes {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly answerMs: number;
  readonly checkEveryMs: number;
}

export const requestTimes: RequestTimes = {
  headersMs: headersWithinSeconds * 1_000,
  requestMs: requestWithinSeconds * 1_000,
  answerMs: answerWithinSeconds * 1_000,
  checkEveryMs: 1_000,
};

type ServerContext = Pick<ApiContext, 'newId' | 'log'>;

/**
 * The server around the app. A request has to arrive within a time, so that a slow sender does not hold a connection,
 * and its caller has to take the response within a longer one, so that a slow reader does not hold what it is made of.
 * What Node would refuse without a problem document gets one here.
 */
export function createHttpServer(app: RequestListener, context: ServerContext, times: RequestTimes): Server {
  const exchanges = new WeakMap<Duplex, Exchange>();
  const ending = new WeakSet<Duplex>();
  const server = createServer({
    maxHeaderSize: headersMaxBytes,
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    connectionsCheckingInterval: times.checkEveryMs,
    // The app requires it, and answers with a problem document.
    requireHostHeader: false,
  });
  server.maxConnections = connectionsMax;
  server.on('request', (request, response) => {
    exchanges.set(request.socket, { request, response });
    limitAnswer(response, times.answerMs);
  });
  server.on('request', app);
  // HTTP allows to ignore an unknown expectation. Node would refuse it with an empty 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Bytes that still arrive on a connection that is ending are faults again.
    if (ending.has(socket)) return;
    ending.add(socket);
    endConnection(context, { socket, exchange: exchanges.get(socket), fault: error.code });
  });
  return server;
}

/** Closes the connection of a caller who has not taken the response in time. */
function limitAnswer(response: ServerResponse, answerMs: number): void {
  const late = setTimeout(() => response.destroy(), answerMs).unref();
  response.once('close', () => clearTimeout(late));
}

/** The last request of a connection, and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface BrokenConnection {
  readonly socket: Duplex;
  readonly exchange: Exchange | undefined;
  /** The code of Node's error. */
  readonly fault: string | undefined;
}

function endConnection(context: ServerContext, broken: BrokenConnection): void {
  const { socket, exchange, fault } = broken;
  if (!socket.writable || fault === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (exchange === undefined || (exchange.request.complete && exchange.response.writableFinished)) {
    refuseConnection(context, broken);
    return;
  }
  const { request, response } = exchange;
  if (response.headersSent || request.complete) endAfter(response, socket);
  else refuseRequest(response, unreadableRequest(fault));
}

/** A request that arrived completely gets its own response, whatever came after it. */
function endAfter(response: ServerResponse, socket: Duplex): void {
  if (response.writableFinished) {
    socket.destroy();
    return;
  }
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('finish', () => closeSoon(socket));
}

/** The app knows the request and waits for its body. It logs the response and ends its own work. */
function refuseRequest(response: ServerResponse, problem: Problem): void {
  const requestId = String(response.getHeader('X-Request-Id'));
  const body = JSON.stringify(problem.toDocument(requestId));
  response.writeHead(problem.status, headersOf(body)).end(body);
}

/** How long a caller may take to read the response before the connection is closed. */
const lingerMs = 1_000;

/** The app never saw this request. */
function refuseConnection({ newId, log }: ServerContext, { socket, fault }: BrokenConnection): void {
  const problem = unreadableRequest(fault);
  const requestId = newId();
  const { status } = problem;
  const body = JSON.stringify(problem.toDocument(requestId));
  const headers = { 'X-Request-Id': requestId, ...headersOf(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  log.info({ request_id: requestId, method: null, route: 'none', status, fault }, 'request');
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  closeSoon(socket);
}

/** In steps: to close a connection with unread bytes at once could destroy the response on its way. */
function closeSoon(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function headersOf(body: string): Record<string, string> {
  return {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': uncached,
    Connection: 'close',
  };
}

/**
 * The problem of a request that cannot be read as HTTP, by the code of Node's error. Where HTTP has a status of its own,
 * the response has that; the list of problem codes stays as it is.
 */
function unreadableRequest(code = 'unknown'): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'invalid_request',
        `The request was not complete within ${requestWithinSeconds} seconds. Send it again on a new connection.`,
        { status: 408, errors: [] },
      );
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'invalid_request',
        `The request line and the headers can have at most ${headersMaxBytes} bytes together.`,
        { status: 431, errors: [] },
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large', 'The extensions of a chunk are too large.');
    default:
      return new Problem('invalid_request', 'The request is not valid HTTP.', { errors: [] });
  }
}
