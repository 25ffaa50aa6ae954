import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { prettifyError, ZodError } from 'zod';
import type { CouncilModel } from '../../council/models.js';
import type { CallLog, HoldBook } from './call-log.js';
import { type Ask, BadAsk } from './dialects/dialect.js';
import type { Seat } from './dialects/seats.js';
import type { Fault, FaultBook } from './faults.js';
import { readEventText, readTask, type Task } from './read-task.js';
import { spoilAnswer } from './spoil-answer.js';
import { readJsonBody, readKey, sendJson } from './wire.js';
import { hashKey, uniform, writeAnswer } from './write-answer.js';

export interface AskContext {
  readonly faults: FaultBook;
  readonly holds: HoldBook;
  readonly log: CallLog;
  readonly latencyMs: { readonly min: number; readonly max: number };
  /** Told of every call when it ends. */
  readonly tell: (line: string) => void;
}

/** Answers one question as the seat's vendor would, or fails as the fault set for it says. */
export async function handleAsk(
  context: AskContext,
  seat: Seat,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = goneSignal(response);
  const key = readKey(seat.dialect, request);
  if (key === null) return refuse(context, seat, response, 401, 'no key');
  const question = await readQuestion(seat, path, request);
  if (typeof question === 'string') return refuse(context, seat, response, 400, question);
  const { ask, task, member } = question;
  const { system, user } = ask;
  const keyHash = hashKey(key);
  const call = { vendor: seat.vendor, model: member, stage: task.stage, keyHash, system, user };
  const fault = context.faults.take(call);
  const markAborted = context.log.record({ ...call, at: Date.now(), fault: fault?.kind ?? null });
  if (gone.aborted) markAborted();
  else gone.addEventListener('abort', markAborted, { once: true });
  try {
    await wait(delayMs(context, question, fault), undefined, { signal: gone });
    await context.holds.letGo(call);
    if (gone.aborted || fault?.kind === 'hang') return;
    if (fault?.kind === 'connection_reset') request.socket.resetAndDestroy();
    else if (fault?.kind === 'http') sendError(seat, request, response, fault);
    else sendAnswer(seat, question, fault, response);
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    context.tell(`${member} ${task.stage}: ${gone.aborted ? 'client gone' : (fault?.kind ?? 'answered')}`);
  }
}

interface Question {
  readonly ask: Ask;
  readonly task: Task;
  readonly member: CouncilModel;
}

/** A text for a question that the vendor would not take: what is wrong with it. */
async function readQuestion(seat: Seat, path: string, request: IncomingMessage): Promise<Question | string> {
  try {
    const ask = seat.dialect.readAsk(await readJsonBody(request), path);
    const member = seat.memberOf(ask.modelId);
    return member === null ? `${ask.modelId} is not a valid model ID` : { ask, task: readTask(ask), member };
  } catch (error) {
    if (error instanceof ZodError) return prettifyError(error);
    if (error instanceof BadAsk || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Aborts when the client goes away before it has its whole answer. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

function delayMs({ latencyMs }: AskContext, { ask, task, member }: Question, fault: Fault | null) {
  if (fault?.kind === 'latency') return fault.ms;
  const share = uniform(readEventText(ask.user), member, task.stage, 'latency');
  return Math.round(latencyMs.min + share * (latencyMs.max - latencyMs.min));
}

function sendAnswer(
  seat: Seat,
  { ask, task, member }: Question,
  fault: Fault | null,
  response: ServerResponse,
): void {
  const { text, ending } = spoilAnswer(writeAnswer(readEventText(ask.user), member, task), fault);
  const id = createHash('sha256').update(`${member}\n${ask.user}`).digest('hex').slice(0, 24);
  const { status, body } = seat.dialect.reply(ask, { id, text, ending });
  sendJson(response, status, body);
}

function refuse(
  { tell }: AskContext,
  seat: Seat,
  response: ServerResponse,
  status: number,
  why: string,
): void {
  tell(`${seat.vendor}: refused with ${status}: ${why}`);
  sendJson(response, status, seat.dialect.error({ status, code: null, retryAfter: null, message: why }));
}

function sendError(
  { dialect }: Seat,
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
