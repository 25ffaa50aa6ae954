import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { KeyVendor } from '../../council/models.js';
import { createCallLog, createHoldList, type HoldMatch } from './call-log.js';
import { vendorEndpoints } from './dialects/vendor-endpoints.js';
import {
  createFaultList,
  type Fault,
  type FaultMatch,
  faultMatchShape,
  faultShape,
  handleFaults,
  type SimulatedCall,
} from './faults.js';
import { handleCompletion, type SimulatorContext } from './handle-completion.js';
import { handleModelLookup, readModelPath } from './handle-model-lookup.js';
import { sendJson } from './wire.js';

/**
 * Starts the four vendors' APIs and OpenRouter's on 127.0.0.1, answered from the questions' own text: no model, no key, no cost.
 *
 * @throws The server's error when the port is taken.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const faults = createFaultList();
  const holds = createHoldList();
  const log = createCallLog();
  const latencyMs = options.latencyMs ?? { min: 0, max: 0 };
  const context = { faults, holds, log, latencyMs, tell: options.log ?? (() => undefined) };
  const server = createServer((request, response) => {
    route(context, request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`;
  return {
    url,
    baseUrls: {
      openai: url + vendorEndpoints.openai.basePath,
      anthropic: url + vendorEndpoints.anthropic.basePath,
      google: url + vendorEndpoints.google.basePath,
      xai: url + vendorEndpoints.xai.basePath,
      openrouter: url + vendorEndpoints.openrouter.basePath,
    },
    calls: log.calls,
    setFault: (match, fault) =>
      faults.add({ ...faultMatchShape.parse(match), fault: faultShape.parse(fault) }),
    clearFaults: () => faults.replaceAll([]),
    hold: match => holds.add(match),
    close: () => close(server),
  };
}

export interface SimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** How long an answer takes: between the two, always the same for the same call. 0 by default. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** Told of every call when it ends: member, stage and what became of it. */
  readonly log?: (line: string) => void;
}

export interface Simulator {
  readonly url: string;
  /** What `createProviders` takes as `baseUrls`. */
  readonly baseUrls: Readonly<Record<KeyVendor, string>>;
  /** The last 1,000 questions, oldest first; `aborted` changes while a call is under way. */
  readonly calls: readonly SimulatedCall[];
  /** Adds a fault after those already set. Of several that match a call the first strikes. */
  setFault(match: FaultMatch, fault: Fault): void;
  clearFaults(): void;
  /**
   * Holds back the answers that match, for whoever wants to look at a run at its leisure: a latency would be a race.
   * @returns A function that lets them go.
   */
  hold(match: HoldMatch): () => void;
  /** Breaks what is still under way, and frees the port. */
  close(): Promise<void>;
}

async function route(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://simulator');
  if (pathname === '/simulator/faults') return handleFaults(context.faults, request, response);
  const endpoint = Object.values(vendorEndpoints).find(({ prefix }) => pathname.startsWith(`${prefix}/`));
  const path = pathname.slice(endpoint?.prefix.length ?? 0);
  if (endpoint !== undefined && request.method === 'POST' && endpoint.dialect.isCompletionPath(path)) {
    return handleCompletion(context, endpoint, path, request, response);
  }
  const modelId =
    endpoint !== undefined && request.method === 'GET' ? readModelPath(endpoint.dialect, path) : null;
  if (endpoint !== undefined && modelId !== null)
    return handleModelLookup(endpoint.dialect, modelId, request, response);
  const failure = { status: 404, code: null, retryAfter: null, message: 'nothing is simulated here' };
  sendJson(response, 404, endpoint?.dialect.error(failure) ?? { problem: failure.message });
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
