import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { prettifyError, ZodError } from 'zod';
import type { CallStage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import { applyFault } from './apply-fault.js';
import type { CallLog, HoldList } from './call-log.js';
import {
  BadRequest,
  type CacheUse,
  type CompletionRequest,
  type SearchRequest,
  type WireReply,
} from './dialects/dialect.js';
import type { PromptCache } from './dialects/prompt-cache.js';
import type { VendorEndpoint } from './dialects/vendor-endpoints.js';
import { hashKey, uniform } from './digests.js';
import type { Fault, FaultList } from './faults.js';
import { isUnknownModel } from './handle-model-lookup.js';
import { readEventText, readTask, readToday } from './read-task.js';
import { applySearchFault } from './search/apply-search-fault.js';
import { findOnEvent } from './search/find-on-event.js';
import { readJsonBody, readKey, sendJson } from './wire.js';
import { writeAnswer } from './write-answer.js';

export interface SimulatorContext {
  readonly faults: FaultList;
  readonly holds: HoldList;
  readonly callLog: CallLog;
  readonly promptCache: PromptCache;
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** Logs one line when a call ends. */
  readonly logLine: (line: string) => void;
}

/** Responds to one completion or search as the vendor would, or with the configured fault. */
export async function handleCompletion(
  context: SimulatorContext,
  endpoint: VendorEndpoint,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = disconnectSignal(response);
  const key = readKey(endpoint.dialect, request);
  if (key === null) return refuse(context, endpoint, response, 401, 'no key');
  const question = await readQuestion(endpoint, path, request);
  if (typeof question === 'string') return refuse(context, endpoint, response, 400, question);
  const { asked, stage, member } = question;
  if (isUnknownModel(asked.modelId)) return refuse(context, endpoint, response, 404, 'no such model');
  const { system, user, limits } = asked;
  const { blockedHosts, continues } = asked.kind === 'search' ? asked : notASearch;
  const made = {
    vendor: endpoint.vendor,
    model: member,
    stage,
    keyHash: hashKey(key),
    blockedHosts,
    continues,
  };
  const call = { ...made, system, user, limits };
  const fault = context.faults.take(call);
  const markAborted = context.callLog.record({ ...call, at: Date.now(), fault: fault?.kind ?? null });
  if (gone.aborted) markAborted();
  else gone.addEventListener('abort', markAborted, { once: true });
  try {
    await wait(delayMs(context, question, fault), undefined, { signal: gone });
    await context.holds.waitUntilReleased(call);
    if (gone.aborted || fault?.kind === 'hang') return;
    if (fault?.kind === 'connection_reset') request.socket.resetAndDestroy();
    else if (fault?.kind === 'http') sendError(endpoint, request, response, fault);
    else if (fault?.kind === 'block_list_refused') refuseBlockList(endpoint, response);
    else sendAnswer(endpoint, question, fault, cacheUse(context, endpoint, question, made.keyHash), response);
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    context.logLine(`${member} ${stage}: ${gone.aborted ? 'client gone' : (fault?.kind ?? 'answered')}`);
  }
}

interface Question {
  readonly asked: CompletionRequest | SearchRequest;
  readonly stage: CallStage;
  readonly member: CouncilModel;
}

const notASearch = { blockedHosts: [], continues: false } as const;

/** @returns The problem as text if the vendor would reject the request. */
async function readQuestion(
  endpoint: VendorEndpoint,
  path: string,
  request: IncomingMessage,
): Promise<Question | string> {
  try {
    const asked = endpoint.dialect.readRequest(await readJsonBody(request), path);
    const member = endpoint.memberOf(asked.modelId);
    if (member === null) return `${asked.modelId} is not a valid model ID`;
    return { asked, stage: asked.kind === 'search' ? 'research' : readTask(asked).stage, member };
  } catch (error) {
    if (error instanceof ZodError) return prettifyError(error);
    if (error instanceof BadRequest || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Aborts when the client disconnects before it has received the complete response. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

function delayMs({ latencyMs }: SimulatorContext, { asked, stage, member }: Question, fault: Fault | null) {
  if (fault?.kind === 'latency') return fault.ms;
  const share = uniform(readEventText(asked.user), member, stage, 'latency');
  return Math.round(latencyMs.min + share * (latencyMs.max - latencyMs.min));
}

/** Only what is answered is stored. */
function cacheUse(
  { promptCache }: SimulatorContext,
  { vendor }: VendorEndpoint,
  { asked }: Question,
  keyHash: string,
): CacheUse {
  const { modelId, system, user, caching } = asked;
  return promptCache.use([vendor, modelId, keyHash].join('\n'), system + user, caching);
}

function sendAnswer(
  { dialect }: VendorEndpoint,
  { asked, member }: Question,
  fault: Fault | null,
  cache: CacheUse,
  response: ServerResponse,
): void {
  const id = createHash('sha256').update(`${member}\n${asked.user}`).digest('hex').slice(0, 24);
  const eventText = readEventText(asked.user);
  let reply: WireReply;
  if (asked.kind === 'search') {
    const found = findOnEvent(eventText, member, readToday(asked.user));
    const queries = found.queries.slice(0, asked.maxSearches ?? found.queries.length);
    reply = dialect.replyToSearch(asked, { id, ...applySearchFault({ ...found, queries }, fault) }, cache);
  } else {
    const fields = writeAnswer(eventText, member, readTask(asked));
    reply = dialect.reply(asked, { id, ...applyFault(fields, fault) }, cache);
  }
  sendJson(response, reply.status, reply.body);
}

function refuseBlockList({ dialect }: VendorEndpoint, response: ServerResponse): void {
  const param = dialect.blockListField ?? '';
  const message = `Unknown parameter: '${param}'.`;
  sendJson(response, 400, dialect.error({ status: 400, code: null, retryAfter: null, message, param }));
}

function refuse(
  { logLine }: SimulatorContext,
  endpoint: VendorEndpoint,
  response: ServerResponse,
  status: number,
  reason: string,
): void {
  logLine(`${endpoint.vendor}: refused with ${status}: ${reason}`);
  sendJson(
    response,
    status,
    endpoint.dialect.error({ status, code: null, retryAfter: null, message: reason }),
  );
}

function sendError(
  { dialect }: VendorEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault & { kind: 'http' },
): void {
  const { status, code = null, retry_after: retryAfter = null } = fault;
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter };
  if (fault.html) {
    response.writeHead(status, { ...headers, 'content-type': 'text/html' });
    response.end('<!doctype html><title>Simulated</title><h1>A proxy’s page in place of an answer</h1>');
    return;
  }
  const echoed = fault.echo ? ` ${JSON.stringify(request.headers)}` : '';
  const message = `Simulated error ${status}.${echoed}`;
  sendJson(response, status, dialect.error({ status, code, retryAfter, message }), headers);
}
