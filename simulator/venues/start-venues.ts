import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { sendJson } from '../wire.js';
import { type ControlledVenues, handleControl, type VenuesControl } from './handle-control.js';
import { answerKalshi } from './kalshi-routes.js';
import { createKalshiState } from './kalshi-state.js';
import { answerPolymarket } from './polymarket-routes.js';
import { createPolymarketState } from './polymarket-state.js';
import {
  type BegunRequest,
  createRequestLog,
  type RequestLog,
  type SimulatedVenue,
  type VenueFault,
  type VenueRequest,
} from './request-log.js';

/**
 * Starts simulated APIs of the venues on 127.0.0.1, with their limits. Their events trade nowhere.
 *
 * @throws The server's error if the port is in use.
 */
export async function startVenues(options: VenuesOptions): Promise<Venues> {
  const log = createRequestLog(options.now);
  const kalshi = createKalshiState(options.now);
  const polymarket = createPolymarketState(options.now);
  const faults = new Map<SimulatedVenue, TimedFault>();
  const control: VenuesControl = {
    moveKalshi: kalshi.move,
    changeKalshiRules: kalshi.changeRules,
    archiveKalshi: kalshi.archive,
    movePolymarket: polymarket.move,
    changePolymarketRules: polymarket.changeRules,
    setFault: (venue, fault, forMs) => faults.set(venue, { fault, until: options.now() + forMs }),
    clearFaults: () => faults.clear(),
  };
  const faultOf = (venue: SimulatedVenue) => {
    const timed = faults.get(venue);
    return timed !== undefined && options.now() < timed.until ? timed.fault : null;
  };
  const context = { kalshi, polymarket, control, faultOf, now: options.now, log };
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://venues');
    if (pathname === controlPath) return void handleControl(context, request, response);
    const venue = venueOf(pathname);
    if (venue === null) return sendJson(response, 404, { problem: 'nothing is simulated here' });
    const begun = log.begin(venue, pathname + search);
    response.once('close', () => begun.end(response.writableFinished ? response.statusCode : null));
    response.once('finish', () => begun.end(response.statusCode));
    answer(context, { venue, pathname, searchParams, begun, request }, response);
  });
  const url = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`;
  return {
    gammaUrl: url + gammaPath,
    dataUrl: url + dataPath,
    clobUrl: url + clobPath,
    kalshiUrl: url + kalshiPath,
    controlUrl: url + controlPath,
    control,
    requests: log.requests,
    close: () => close(server),
  };
}

export interface VenuesOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Defaults to 0: a free port. */
  readonly port?: number;
}

export interface Venues {
  /** For `POLYMARKET_GAMMA_URL`. */
  readonly gammaUrl: string;
  /** For `POLYMARKET_DATA_URL`. */
  readonly dataUrl: string;
  /** For `POLYMARKET_CLOB_URL`. */
  readonly clobUrl: string;
  /** For `KALSHI_API_URL`. */
  readonly kalshiUrl: string;
  /** Where `control` is reached over HTTP. */
  readonly controlUrl: string;
  readonly control: VenuesControl;
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly VenueRequest[];
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
}

interface TimedFault {
  readonly fault: VenueFault;
  /** Epoch milliseconds. */
  readonly until: number;
}

interface VenuesContext extends ControlledVenues {
  readonly log: RequestLog;
  readonly now: () => number;
}

interface VenueCall {
  readonly venue: SimulatedVenue;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly begun: BegunRequest;
  readonly request: IncomingMessage;
}

const controlPath = '/control';
const kalshiPath = '/trade-api/v2';
const gammaPath = '/gamma';
const dataPath = '/data';
const clobPath = '/clob';
const polymarketPath = /^\/(?:gamma|data|clob)(?=\/)/;

function venueOf(pathname: string): SimulatedVenue | null {
  if (pathname.startsWith(`${kalshiPath}/`)) return 'kalshi';
  return polymarketPath.test(pathname) ? 'polymarket' : null;
}

function answer(context: VenuesContext, call: VenueCall, response: ServerResponse): void {
  const fault = context.faultOf(call.venue);
  if (fault === 'hang') return;
  if (fault === 'throttle' || isThrottled(context, call)) {
    const headers = call.venue === 'polymarket' ? { 'retry-after': '10' } : {};
    return sendJson(response, 429, { error: 'too many requests' }, headers);
  }
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Simulated garbage</html>');
    return;
  }
  if (call.request.method !== 'GET') return sendJson(response, 405, { code: 'method_not_allowed' });
  const { status, body } =
    call.venue === 'kalshi'
      ? answerKalshi(context.kalshi, call.pathname.slice(kalshiPath.length), call.searchParams)
      : answerPolymarket(context, call.pathname.replace(polymarketPath, ''), call.searchParams);
  sendJson(response, status, body);
}

/** What unsigned requests to Kalshi were measured to get by with. */
const kalshiSpacingMs = 250;
/** Of Polymarket's limits the simulator has one, for all its APIs together. */
const polymarketLimit = { requests: 500, windowMs: 10_000 };

function isThrottled({ log, now }: VenuesContext, { venue, begun }: VenueCall): boolean {
  const { atOnce, sincePreviousMs } = begun;
  if (venue === 'kalshi')
    return atOnce > 1 || (sincePreviousMs !== null && sincePreviousMs < kalshiSpacingMs);
  const since = now() - polymarketLimit.windowMs;
  const recent = log.requests.filter(each => each.venue === venue && each.startedAt > since);
  return recent.length > polymarketLimit.requests;
}

const addressShape = z.object({ port: z.int() });

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(addressShape.parse(server.address()).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
