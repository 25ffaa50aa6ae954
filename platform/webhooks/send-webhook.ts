import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { visibleLine } from '../../council/text.js';
import { parseRetryAfter } from '../net/retry-after.js';
import { failureOf } from './failure.js';
import { hostOf, notPublic, parseTarget, type TargetPolicy } from './parse-target.js';
import { isPublicAddress } from './public-addresses.js';
import { type ResolveHost, resolverFor } from './resolve-host.js';

/** One try of a delivery. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, as it is signed. */
  readonly body: string;
  /** Ends the try as failed. */
  readonly signal?: AbortSignal;
}

/**
 * `answered`: with any status; a redirect is an answer, too. `refused`: nothing was sent, because the address is not
 * allowed. `failed`: no answer came. A reason is a sentence of at most 200 characters for the owner of the endpoint.
 */
export type WebhookResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** What `Retry-After` asks for, at most a day; null without a valid one. */
      readonly retryAfterSeconds: number | null;
      /** The beginning of the body: at most 200 bytes, as text without control characters. */
      readonly excerpt: string;
    }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string };

/** Never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookResult>;

export interface WebhookSenderOptions {
  /** The setting `WEBHOOK_TARGETS`. */
  readonly policy: TargetPolicy;
  /** By default the name servers of the machine. */
  readonly resolve?: ResolveHost;
  /** Certificates in PEM that are trusted in place of those of Node. */
  readonly authorities?: string;
  /** How long a try may take in all, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * Creates what sends webhooks. A name is resolved once, every address is checked, and the connection goes to one of
 * exactly these addresses, so that DNS cannot answer differently in between. Redirects and proxy variables are not
 * followed; connections and TLS sessions are not used twice.
 */
export function createWebhookSender({
  policy,
  resolve = resolverFor(policy),
  authorities,
  timeoutMs = defaultTimeoutMs,
}: WebhookSenderOptions): SendWebhook {
  return async request => {
    const target = parseTarget(request.url, policy);
    if (typeof target === 'string') return { kind: 'refused', reason: target };
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([timeout, ...(request.signal === undefined ? [] : [request.signal])]);
    try {
      const addresses = await addressesOf(target, resolve, signal);
      if (policy === 'public' && !addresses.every(isPublicAddress))
        return { kind: 'refused', reason: notPublic };
      return await post(target, addresses, { ...request, signal }, authorities);
    } catch (error) {
      if (timeout.aborted) return { kind: 'failed', reason: 'No answer came in time.' };
      if (signal.aborted) return { kind: 'failed', reason: 'The try was stopped before an answer.' };
      return { kind: 'failed', reason: failureOf(error) };
    }
  };
}

const defaultTimeoutMs = 15_000;

/** @throws the error of the resolver, or the reason of the signal */
async function addressesOf(
  target: URL,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = hostOf(target);
  if (isIP(host) !== 0) return [host];
  const found = await untilAborted(resolve(host, signal), signal);
  if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENODATA' });
  return found;
}

async function post(
  target: URL,
  addresses: readonly string[],
  { headers, body, signal }: WebhookRequest & { readonly signal: AbortSignal },
  authorities: string | undefined,
): Promise<WebhookResult> {
  const secure = target.protocol === 'https:';
  const agentOptions = {
    keepAlive: false,
    maxCachedSessions: 0,
    lookup: lookupAmong(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectMs,
  };
  const options: RequestOptions & https.RequestOptions = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'council-report-service',
      ...headers,
      'content-length': Buffer.byteLength(body),
    },
    // An agent of its own: the one that all requests share keeps connections, and in later versions of Node reads the
    // proxy variables.
    agent: secure ? new https.Agent(agentOptions) : new http.Agent(agentOptions),
    maxHeaderSize: headersMaxBytes,
    insecureHTTPParser: false,
    // Otherwise NODE_TLS_REJECT_UNAUTHORIZED could switch it off.
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
    signal,
  };
  const request = (secure ? https : http).request(target, options);
  try {
    const response = await responseTo(request, body);
    return answered(response, await excerptOf(response));
  } finally {
    // The rest of a body is not read, however long it is.
    request.destroy();
  }
}

function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Also for what breaks after the response: an error without a listener would end the process.
    request.on('error', reject);
    request.once('response', resolve);
    // A server that changes the protocol (101) gets its connection closed, without an error.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

/** How long one of several addresses may take before the next one is tried, in milliseconds. */
const connectMs = 3_000;
/** So that nobody lets us knock at a long list of the addresses of others. */
const addressesMax = 8;
const headersMaxBytes = 8_192;

/** Gives a connection the addresses that were checked, in place of a second lookup. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const all = addresses.slice(0, addressesMax).map(address => ({ address, family: isIP(address) }));
  return (_hostname, { all: wantsAll }, callback) => {
    const [first] = all;
    if (first === undefined) callback(new Error('no address'), '');
    else if (wantsAll === true) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

function answered({ statusCode = 0, headers }: IncomingMessage, excerpt: string): WebhookResult {
  const waitMs = parseRetryAfter({ retryAfter: headers['retry-after'] ?? null }, Date.now());
  const seconds = waitMs === null ? null : Math.min(Math.ceil(waitMs / 1_000), retryAfterMaxSeconds);
  return { kind: 'answered', status: statusCode, retryAfterSeconds: seconds, excerpt };
}

/** The longest pause between two tries of a delivery. */
const retryAfterMaxSeconds = 86_400;

/** What came of the body, if it ends, is long enough, breaks off or pauses. The status counts in each case. */
function excerptOf(response: IncomingMessage): Promise<string> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      clearTimeout(timer);
      resolve(textOf(Buffer.concat(chunks).subarray(0, excerptBytes)));
    };
    const timer = setTimeout(finish, excerptMs);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= excerptBytes) finish();
    });
    for (const end of ['end', 'error', 'close']) response.on(end, finish);
  });
}

const excerptBytes = 200;
/** How long the beginning of a body may take after the headers, in milliseconds. */
const excerptMs = 1_000;

/** A character that the limit has cut, or that is none, is left out: the excerpt never grows beyond its bytes. */
function textOf(bytes: Buffer): string {
  return visibleLine(bytes.toString('utf8').replaceAll('\uFFFD', ''));
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
