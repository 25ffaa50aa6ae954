import { parseRetryAfter } from '../../platform/net/retry-after.js';
import { MarketBudgetSpent, MarketUnavailable } from '../event-source.js';
import { openGate, type RequestGate } from '../request-budget.js';

/** Reads JSON from Gamma and converts all failures to MarketUnavailable. */
export interface GammaClient {
  /**
   * Sends a GET request. Returns the decoded JSON, or the status if Gamma has no such resource (404, 410,
   * 422). Retries once after a timeout, a broken connection or a 5xx response.
   *
   * @throws MarketUnavailable in all other cases. Its message never contains text of the response.
   */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<GammaAnswer>;
}

type GammaAnswer =
  | { readonly found: true; readonly body: unknown }
  | { readonly found: false; readonly status: number };

export interface GammaClientOptions {
  /** The address of the API, for example `https://gamma-api.polymarket.com`. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** Timeout of one attempt in milliseconds, including the body. */
  readonly timeoutMs: number;
  /** Admits each attempt, a retry as well. Default: all. */
  readonly gate?: RequestGate;
}

export function createGammaClient(options: GammaClientOptions): GammaClient {
  const base = options.baseUrl.replace(/\/+$/, '');
  return {
    async get(path, query = {}) {
      const search = new URLSearchParams(query).toString();
      const url = `${base}${path}${search === '' ? '' : `?${search}`}`;
      const send = () => admitted(endpointOf(path), options.gate ?? openGate, () => attempt(url, options));
      const first = await send();
      const last = first.kind === 'failed' && first.retryable ? await send() : first;
      if (last.kind === 'failed') throw last.error;
      return last.answer;
    },
  };
}

type Attempt =
  | { readonly kind: 'answered'; readonly answer: GammaAnswer }
  | {
      readonly kind: 'failed';
      readonly error: MarketUnavailable;
      readonly retryable: boolean;
      readonly throttled: boolean;
    };

/** Gamma limits requests by endpoint. */
function endpointOf(path: string): string {
  return path === '/public-search' || path.startsWith('/events/keyset') ? path : '/events';
}

/** @throws MarketBudgetSpent if the attempt is not admitted */
async function admitted(endpoint: string, gate: RequestGate, send: () => Promise<Attempt>): Promise<Attempt> {
  const secondsToWait = gate.admit(endpoint);
  if (secondsToWait > 0) throw new MarketBudgetSpent(secondsToWait);
  const result = await send();
  if (result.kind === 'failed' && result.throttled) gate.pause(endpoint, result.error.retryAfterSeconds);
  gate.ended(result.kind);
  return result;
}

async function attempt(url: string, { fetch, timeoutMs }: GammaClientOptions): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // A redirect could lead the request into the private network, and its answer into reports.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await read(response);
  } catch (error) {
    const reason = isTimeout(error) ? `did not answer within ${timeoutMs} ms` : 'could not be reached';
    return failed(reason, { retryable: true });
  }
}

async function read(response: Response): Promise<Attempt> {
  const { status } = response;
  if (status !== 200) {
    // An unread body keeps its connection open.
    await response.body?.cancel();
    if (status === 404 || status === 410 || status === 422) {
      return { kind: 'answered', answer: { found: false, status } };
    }
    return refused(response);
  }
  // Proxies can respond with 200 and an HTML page.
  if (!isJson(response.headers.get('content-type'))) {
    await response.body?.cancel();
    return failed('answered with something that is not JSON');
  }
  const text = await readCappedText(response, maxBodyBytes);
  return text === null ? failed('answered with more than 8 MB') : decode(text);
}

const maxBodyBytes = 8 * 1024 * 1024;

function decode(text: string): Attempt {
  try {
    const body: unknown = JSON.parse(text);
    return { kind: 'answered', answer: { found: true, body } };
  } catch {
    return failed('answered with JSON that cannot be read');
  }
}

/** A response with Retry-After is not retried immediately. */
function refused(response: Response): Attempt {
  const wait = retryAfterSeconds(response.headers);
  if (response.status === 429) {
    return failed('asks for fewer requests', { wait: wait ?? throttledSeconds, throttled: true });
  }
  const transient = response.status === 408 || response.status >= 500;
  return failed(`answered with status ${response.status}`, { retryable: transient && wait === null, wait });
}

/** The usual delay of Gamma's rate limit. */
const throttledSeconds = 10;

function failed(
  reason: string,
  options: { retryable?: boolean; throttled?: boolean; wait?: number | null } = {},
): Attempt {
  const error = new MarketUnavailable(`Polymarket ${reason}.`, options.wait ?? undefined);
  const { retryable = false, throttled = false } = options;
  return { kind: 'failed', error, retryable, throttled };
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
