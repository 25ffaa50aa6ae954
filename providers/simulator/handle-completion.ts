import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { prettifyError, ZodError } from 'zod';
import type { CouncilModel } from '../../council/models.js';
import { applyFault } from './apply-fault.js';
import type { CallLog, HoldList } from './call-log.js';
import { BadRequest, type CompletionRequest } from './dialects/dialect.js';
import type { VendorEndpoint } from './dialects/vendor-endpoints.js';
import type { Fault, FaultList } from './faults.js';
import { isUnknownModel } from './handle-model-lookup.js';
import { readEventText, readTask, type Task } from './read-task.js';
import { readJsonBody, readKey, sendJson } from './wire.js';
import { hashKey, uniform, writeAnswer } from './write-answer.js';

export interface SimulatorContext {
  readonly faults: FaultList;
  readonly holds: HoldList;
  readonly callLog: CallLog;
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** Logs one line when a call ends. */
  readonly logLine: (line: string) => void;
}

/** Responds to one completion request as the vendor would, or with the configured fault. */
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
  const { completion, task, member } = question;
  if (isUnknownModel(completion.modelId)) return refuse(context, endpoint, response, 404, 'no such model');
  const { system, user, limits } = completion;
  const keyHash = hashKey(key);
  const call = { vendor: endpoint.vendor, model: member, stage: task.stage, keyHash, system, user, limits };
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
    else sendAnswer(endpoint, question, fault, response);
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    context.logLine(`${member} ${task.stage}: ${gone.aborted ? 'client gone' : (fault?.kind ?? 'answered')}`);
  }
}

interface Question {
  readonly completion: CompletionRequest;
  readonly task: Task;
  readonly member: CouncilModel;
}

/** @returns The problem as text if the vendor would reject the request. */
async function readQuestion(
  endpoint: VendorEndpoint,
  path: string,
  request: IncomingMessage,
): Promise<Question | string> {
  try {
    const completion = endpoint.dialect.readRequest(await readJsonBody(request), path);
    const member = endpoint.memberOf(completion.modelId);
    return member === null
      ? `${completion.modelId} is not a valid model ID`
      : { completion, task: readTask(completion), member };
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

function delayMs(
  { latencyMs }: SimulatorContext,
  { completion, task, member }: Question,
  fault: Fault | null,
) {
  if (fault?.kind === 'latency') return fault.ms;
  const share = uniform(readEventText(completion.user), member, task.stage, 'latency');
  return Math.round(latencyMs.min + share * (latencyMs.max - latencyMs.min));
}

function sendAnswer(
  endpoint: VendorEndpoint,
  { completion, task, member }: Question,
  fault: Fault | null,
  response: ServerResponse,
): void {
  const { text, ending } = applyFault(writeAnswer(readEventText(completion.user), member, task), fault);
  const id = createHash('sha256').update(`${member}\n${completion.user}`).digest('hex').slice(0, 24);
  const { status, body } = endpoint.dialect.reply(completion, { id, text, ending });
  sendJson(response, status, body);
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
