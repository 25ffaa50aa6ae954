import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Stripe } from 'stripe';
import type { PaymentGateway } from '../../../payments/payment-gateway.js';
import { createStripeClient } from '../../../payments/stripe-client.js';
import { createStripeGateway } from '../../../payments/stripe-gateway.js';
import { closeServer, listen } from '../listen.js';
import { StripeBooks } from './stripe-books.js';
import { StripeRefusal } from './stripe-refusal.js';

export const webhookSecret = 'whsec_stand_in';
export const secretKey = 'sk_test_stand_in_0123456789';

/**
 * `down`: not executed, no response. `lost_answer`: executed, no response. `slow`: no response until the
 * client gives up.
 */
export type StripeFault = 'down' | 'lost_answer' | 'slow' | 500 | 429 | 400;

/** A server on 127.0.0.1 with the part of Stripe's API that this service uses. */
export interface StripeStandIn {
  readonly url: string;
  readonly books: StripeBooks;
  /** Every request, oldest first: `POST /v1/customers`. */
  readonly requests: { line: string; headers: IncomingMessage['headers'] }[];
  /** The fault of all requests from now on; null for none. */
  fault: StripeFault | null;
  /** Called before a request is executed. */
  before: (line: string) => void | Promise<void>;
  /** The real adapter, on the real SDK, pointed at this server. */
  gateway(options?: { timeoutMs?: number; secretKey?: string }): PaymentGateway;
  /** An event as Stripe would send it: its bytes, and their signature. */
  event(type: string, object: unknown, signing?: { at?: Date; secret?: string }): SignedEvent;
  /** Any bytes, signed as Stripe would. */
  sign(body: string, signing?: { at?: Date; secret?: string }): SignedEvent;
  close(): Promise<void>;
}

export interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

export async function startStripeStandIn(): Promise<StripeStandIn> {
  const books = new StripeBooks();
  const answered = new Map<string, { fingerprint: string; status: number; body: string }>();
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const standIn: StripeStandIn = {
    url,
    books,
    requests: [],
    fault: null,
    before: () => undefined,
    gateway: options => {
      const settings = { secretKey, apiBase: url, ...options };
      return createStripeGateway(createStripeClient(settings), webhookSecret);
    },
    event: signEvent,
    sign,
    close: () => closeServer(server),
  };
  return standIn;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const line = `${request.method} ${pathname}`;
    const text = await bodyOf(request);
    standIn.requests.push({ line, headers: request.headers });
    const { fault } = standIn;
    if (fault === 'down') return void response.destroy();
    if (fault === 'slow') return;
    await standIn.before(line);
    if (fault === 429) return throttle(response);
    const form = request.method === 'GET' ? searchParams : new URLSearchParams(text);
    const answer = once(request, `${line}?${text}`, () =>
      typeof fault === 'number' ? failure(fault) : work(request, pathname, form),
    );
    if (fault === 'lost_answer') return void response.destroy();
    const headers = { 'content-type': 'application/json', 'request-id': `req_${standIn.requests.length}` };
    response.writeHead(answer.status, headers).end(answer.body);
  }

  /**
   * A repeated idempotency key executes nothing and must belong to the same request. Its response is the first one,
   * also if that was a failure of Stripe.
   */
  function once(
    request: IncomingMessage,
    fingerprint: string,
    act: () => { status: number; body: string },
  ): { status: number; body: string } {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof key !== 'string') return act();
    const before = answered.get(key);
    if (before !== undefined && before.fingerprint !== fingerprint) {
      return errorBody(new StripeRefusal(400, 'idempotency_error', 'This key was used for another request.'));
    }
    const answer = before ?? { fingerprint, ...act() };
    answered.set(key, answer);
    return answer;
  }

  function work(request: IncomingMessage, path: string, form: URLSearchParams) {
    try {
      const sent = request.headers.authorization ?? '';
      if (sent !== `Bearer ${secretKey}`) {
        throw new StripeRefusal(401, 'invalid_request_error', `Invalid API Key provided: ${sent}`);
      }
      return { status: 200, body: JSON.stringify(books.handle(request.method ?? '', path, form)) };
    } catch (error) {
      if (error instanceof StripeRefusal) return errorBody(error);
      throw error;
    }
  }
}

let events = 0;

function signEvent(type: string, object: unknown, signing?: { at?: Date; secret?: string }): SignedEvent {
  events += 1;
  return sign(JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } }), signing);
}

function sign(
  body: string,
  { at = new Date(), secret = webhookSecret }: { at?: Date; secret?: string } = {},
): SignedEvent {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const { webhooks } = new Stripe(secretKey);
  return { body, signature: webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) };
}

function errorBody({ status, type, message, code }: StripeRefusal): { status: number; body: string } {
  return {
    status,
    body: JSON.stringify({ error: { type, message, ...(code === undefined ? {} : { code }) } }),
  };
}

const failure = (status: number) => errorBody(new StripeRefusal(status, 'api_error', `sorry, ${secretKey}`));

/** Not recorded under an idempotency key. */
function throttle(response: ServerResponse): void {
  const { status, body } = failure(429);
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
