import { parseRetryAfter } from '../../platform/net/retry-after.js';
import { MarketBudgetSpent, MarketUnavailable, MarketUnreadable } from '../event-source.js';
import { openGate, type RequestGate } from '../request-budget.js';

/** Reads JSON from the API of a venue and converts all failures to MarketUnavailable. */
export interface VenueClient {
  /**
   * Sends a GET request. Returns the decoded JSON, or the status if the venue has no such resource (404, 410,
   * 422). Retries once after a timeout, a broken connection or a 5xx response.
   *
   * @throws MarketUnavailable in all other cases. Its message never contains text of the response.
   */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<VenueAnswer>;
}

type VenueAnswer =
  | { readonly found: true; readonly body: unknown }
  | { readonly found: false; readonly status: number };

export interface VenueClientOptions extends VenueHttp {
  /** The venue's name, as in `Polymarket answered with status 500.` */
  readonly name: string;
  /** The address of the API, for example `https://gamma-api.polymarket.com`. */
  readonly baseUrl: string;
  /** The part of the API that a path belongs to, if the venue limits requests to each. Default: all are one. */
  readonly endpointOf?: (path: string) => string;
  /** How long nothing is sent after a 429 without `Retry-After`, by how many came in a row (1, 2, …). */
  readonly throttledSeconds: (inRow: number) => number;
}

/** How requests are sent. */
export interface VenueHttp {
  readonly fetch: typeof fetch;
  /** Timeout of one attempt in milliseconds, including the body. */
  readonly timeoutMs: number;
  /** Admits each attempt, a retry as well. Default: all. */
  readonly gate?: RequestGate;
}

export function createVenueClient(options: VenueClientOptions): VenueClient {
  const base = options.baseUrl.replace(/\/+$/, '');
  const endpointOf = options.endpointOf ?? (() => '');
  const sender = { ...options, throttled: { inRow: 0 } };
  return {
    async get(path, query = {}) {
      const search = new URLSearchParams(query).toString();
      const url = `${base}${path}${search === '' ? '' : `?${search}`}`;
      const send = () => admitted(endpointOf(path), options.gate ?? openGate, () => attempt(url, sender));
      const first = await send();
      const last = first.kind === 'failed' && first.retryable ? await send() : first;
      if (last.kind === 'failed') throw last.error;
      return last.answer;
    },
  };
}

type Attempt =
  | { readonly kind: 'answered'; readonly answer: VenueAnswer }
  | {
      readonly kind: 'failed';
      readonly error: MarketUnavailable;
      readonly retryable: boolean;
      readonly throttled: boolean;
    };

/** @throws MarketBudgetSpent if the attempt is not admitted */
async function admitted(endpoint: string, gate: RequestGate, send: () => Promise<Attempt>): Promise<Attempt> {
  const secondsToWait = await gate.admit(endpoint);
  if (secondsToWait > 0) throw new MarketBudgetSpent(secondsToWait);
  const result = await send();
  if (result.kind === 'failed' && result.throttled) gate.pause(endpoint, result.error.retryAfterSeconds);
  gate.ended(result.kind);
  return result;
}

interface Sender extends VenueClientOptions {
  /** How many 429 came in a row. */
  readonly throttled: { inRow: number };
}

async function attempt(url: string, sender: Sender): Promise<Attempt> {
  const { fetch, timeoutMs, name } = sender;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // A redirect could lead the request into the private network, and its answer into reports.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await read(response, sender);
  } catch (error) {
    const reason = isTimeout(error) ? `did not answer within ${timeoutMs} ms` : 'could not be reached';
    return failed(name, reason, { retryable: true });
  }
}

async function read(response: Response, sender: Sender): Promise<Attempt> {
  const { status } = response;
  const { name } = sender;
  if (status !== 429) sender.throttled.inRow = 0;
  if (status !== 200) {
    // An unread body keeps its connection open.
    await response.body?.cancel();
    if (status === 404 || status === 410 || status === 422) {
      return { kind: 'answered', answer: { found: false, status } };
    }
    return refused(response, sender);
  }
  // Proxies can respond with 200 and an HTML page.
  if (!isJson(response.headers.get('content-type'))) {
    await response.body?.cancel();
    return unreadable(name, 'answered with something that is not JSON');
  }
  const text = await readCappedText(response, maxBodyBytes);
  return text === null ? failed(name, 'answered with more than 8 MB') : decode(name, text);
}

const maxBodyBytes = 8 * 1024 * 1024;

function decode(name: string, text: string): Attempt {
  try {
    const body: unknown = JSON.parse(text);
    return { kind: 'answered', answer: { found: true, body } };
  } catch {
    return unreadable(name, 'answered with JSON that cannot be read');
  }
}

/** A response with Retry-After is not retried immediately. */
function refused(response: Response, { name, throttled, throttledSeconds }: Sender): Attempt {
  const wait = retryAfterSeconds(response.headers);
  if (response.status === 429) {
    throttled.inRow += 1;
    return failed(name, 'asks for fewer requests', {
      wait: wait ?? throttledSeconds(throttled.inRow),
      throttled: true,
    });
  }
  const transient = response.status === 408 || response.status >= 500;
  return failed(name, `answered with status ${response.status}`, {
    retryable: transient && wait === null,
    wait,
  });
}

function failed(
  name: string,
  reason: string,
  options: { retryable?: boolean; throttled?: boolean; wait?: number | null } = {},
): Attempt {
  const error = new MarketUnavailable(`${name} ${reason}.`, options.wait ?? undefined);
  const { retryable = false, throttled = false } = options;
  return { kind: 'failed', error, retryable, throttled };
}

function unreadable(name: string, reason: string): Attempt {
  const error = new MarketUnreadable(`${name} ${reason}.`);
  return { kind: 'failed', error, retryable: false, throttled: false };
}

function isJson(contentType: string | null): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(contentType ?? '');
}

/** Compares the name, because errors of `fetch` can come from another realm. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
}

/**
 * Reads a response body as UTF-8 text. Stops and returns null if it is longer than `maxBytes` after
 * decompression.
 *
 * @throws The errors of `fetch` on a broken connection or a timeout.
 */
async function readCappedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Reads a `Retry-After` header in seconds: at least 1, at most an hour. Null without a valid header. A date
 * is compared with the sender's own `Date` header if there is one, so that clocks that disagree have no
 * effect.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const sentMs = Date.parse(headers.get('date') ?? '');
  const nowMs = Number.isNaN(sentMs) ? Date.now() : sentMs;
  const waitMs = parseRetryAfter({ retryAfter: headers.get('retry-after') }, nowMs);
  return waitMs === null ? null : Math.min(3_600, Math.max(1, Math.ceil(waitMs / 1_000)));
}
