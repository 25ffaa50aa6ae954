import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { KeyVendor } from '../council/models.js';
import { createCallLog, createHoldList, type HoldMatch } from './call-log.js';
import { createPromptCache } from './dialects/prompt-cache.js';
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
 * Starts simulated APIs of the four vendors and OpenRouter. Answers are derived from the text of
 * the request: no model, no real key, no cost.
 *
 * @throws The server's error if the port is in use.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const faults = createFaultList();
  const holds = createHoldList();
  const callLog = createCallLog();
  const latencyMs = options.latencyMs ?? { min: 0, max: 0 };
  const promptCache = createPromptCache();
  const logLine = options.log ?? (() => undefined);
  const context = { faults, holds, callLog, promptCache, latencyMs, logLine };
  const server = createServer((request, response) => {
    route(context, request, response).catch(() => response.destroy());
  });
  const host = options.host ?? '127.0.0.1';
  const url = `http://${host}:${await listen(server, host, options.port ?? 0)}`;
  return {
    url,
    baseUrls: simulatedBaseUrls(url),
    calls: callLog.calls,
    setFault: (match, fault) =>
      faults.add({ ...faultMatchShape.parse(match), fault: faultShape.parse(fault) }),
    clearFaults: () => faults.replaceAll([]),
    hold: match => holds.add(match),
    close: () => close(server),
  };
}

/** The base URLs of the vendors at a simulator. @param url its origin */
export function simulatedBaseUrls(url: string): Readonly<Record<KeyVendor, string>> {
  return {
    openai: url + vendorEndpoints.openai.basePath,
    anthropic: url + vendorEndpoints.anthropic.basePath,
    google: url + vendorEndpoints.google.basePath,
    xai: url + vendorEndpoints.xai.basePath,
    openrouter: url + vendorEndpoints.openrouter.basePath,
  };
}

export interface SimulatorOptions {
  /** Defaults to this machine only: anyone who reaches it can set faults. */
  readonly host?: string;
  /** Defaults to 0: a free port. */
  readonly port?: number;
  /** Range of the response time, which is always the same for the same call. Defaults to 0. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** Receives one line per finished call: member, stage and outcome. */
  readonly log?: (line: string) => void;
}

export interface Simulator {
  readonly url: string;
  /** The `baseUrls` for `createProviders`. */
  readonly baseUrls: Readonly<Record<KeyVendor, string>>;
  /** The last 1,000 requests, oldest first. `aborted` can change while a call is in progress. */
  readonly calls: readonly SimulatedCall[];
  /** Adds a fault at the end of the list. If several match a call, the first one applies. */
  setFault(match: FaultMatch, fault: Fault): void;
  clearFaults(): void;
  /**
   * Holds back matching answers, so that a test can inspect a running report. A latency would be a race.
   *
   * @returns A function that releases them.
   */
  hold(match: HoldMatch): () => void;
  /** Closes all connections and frees the port. */
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
  if (endpoint !== undefined && request.method === 'GET') {
    const modelId = readModelPath(endpoint.dialect, path);
    if (modelId !== null) return handleModelLookup(endpoint.dialect, modelId, request, response);
  }
  const failure = { status: 404, code: null, retryAfter: null, message: 'nothing is simulated here' };
  sendJson(response, 404, endpoint?.dialect.error(failure) ?? { problem: failure.message });
}

const addressShape = z.object({ port: z.int() });

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(addressShape.parse(server.address()).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
