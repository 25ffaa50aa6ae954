import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { grpcStatus } from '../../../platform/temporal/grpc-status.js';
import { listen } from '../listen.js';

/**
 * A proxy in front of a Temporal server that holds chosen calls, as a server does whose frontend answers while a
 * service behind it is away. Calls of other methods pass.
 */
export interface GrpcProxy {
  readonly address: string;
  /**
   * Leaves calls of these methods without an answer from now on. Replaces the earlier choice, whose calls fail as
   * unavailable, so that their client sends them again.
   */
  readonly hold: (...methods: string[]) => void;
  /** How many calls are held now. */
  readonly heldCalls: () => number;
  /** Answers calls of this method with a gRPC status code from now on. */
  readonly fail: (method: string, status: number) => void;
  readonly close: () => Promise<void>;
}

/** The methods of Temporal's frontend that ask the history service. */
export const historyMethods = [
  'DescribeWorkflowExecution',
  'ExecuteMultiOperation',
  'PollWorkflowExecutionUpdate',
  'StartWorkflowExecution',
  'UpdateWorkflowExecution',
];

/** Starts a proxy to the server at `host:port`. */
export async function startGrpcProxy(target: string): Promise<GrpcProxy> {
  let held: ReadonlySet<string> = new Set();
  const heldCalls = new Set<ServerHttp2Stream>();
  const failed = new Map<string, number>();
  const upstream = connect(`http://${target}`);
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer()
    .on('session', session => {
      sessions.add(session);
      session.on('close', () => sessions.delete(session));
    })
    .on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      const method = headers[':path']?.split('/').at(-1) ?? '';
      const status = failed.get(method);
      if (status !== undefined) refuse(stream, status);
      else if (!held.has(method)) forward(upstream, stream, headers);
      else {
        heldCalls.add(stream);
        stream.on('close', () => heldCalls.delete(stream));
      }
    });
  return {
    address: `127.0.0.1:${await listen(server)}`,
    hold: (...methods) => {
      held = new Set(methods);
      for (const stream of heldCalls) refuse(stream, grpcStatus.unavailable);
    },
    heldCalls: () => heldCalls.size,
    fail: (method, status) => void failed.set(method, status),
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await closed;
    },
  };
}

/** An error without a message is a response of headers alone. */
function refuse(stream: ServerHttp2Stream, status: number): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(status) };
  stream.respond(headers, { endStream: true });
}

function forward(upstream: ClientHttp2Session, near: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const far = upstream.request(headers);
  let trailers: IncomingHttpHeaders = {};
  near.on('close', () => far.close());
  near.on('wantTrailers', () => near.sendTrailers(trailers));
  far.on('error', () => near.close());
  far.on('trailers', received => {
    trailers = received;
  });
  far.on('response', (received, flags) => {
    if (near.destroyed) return;
    const endStream = (flags & endStreamFlag) !== 0;
    near.respond(received, { endStream, waitForTrailers: !endStream });
    if (!endStream) far.pipe(near);
  });
  near.pipe(far);
}

/** RFC 9113, section 6.2. An error without a message is a response that ends with its headers. */
const endStreamFlag = 0x1;
