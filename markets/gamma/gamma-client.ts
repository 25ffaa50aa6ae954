import { parseRetryAfter } from '../../net/retry-after.js';
import { MarketUnavailable } from '../event-source.js';

/** Reads JSON from Gamma and turns everything that can go wrong on the way into a MarketUnavailable. */
export interface GammaClient {
  /**
   * GETs `path` and answers the decoded JSON, or the status by which Gamma says that there is no such thing
   * (404, 410, 422). Times out after `timeoutMs`; tries once more after a time-out, a broken connection or a 5xx.
   * @throws MarketUnavailable in all other cases. Its message never holds any of the answer's text.
   */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<GammaAnswer>;
}

type GammaAnswer =
  | { readonly found: true; readonly body: unknown }
  | { readonly found: false; readonly status: number };

export interface GammaClientOptions {
  /** For example `https://gamma-api.polymarket.com`. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** Milliseconds for one attempt, body included. */
  readonly timeoutMs: number;
}

export function createGammaClient(options: GammaClientOptions): GammaClient {
  const base = options.baseUrl.replace(/\/+$/, '');
  return {
    async get(path, query = {}) {
      const search = new URLSearchParams(query).toString();
      const url = `${base}${path}${search === '' ? '' : `?${search}`}`;
      const first = await attempt(url, options);
      const last = first.kind === 'failed' && first.again ? await attempt(url, options) : first;
      if (last.kind === 'failed') throw last.error;
      return last.answer;
    },
  };
}

type Attempt =
  | { readonly kind: 'answered'; readonly answer: GammaAnswer }
  | { readonly kind: 'failed'; readonly error: MarketUnavailable; readonly again: boolean };

async function attempt(url: string, { fetch, timeoutMs }: GammaClientOptions): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await read(response);
  } catch (error) {
    const reason = isTimeout(error) ? `did not answer within ${timeoutMs} ms` : 'could not be reached';
    return failed(reason, { again: true });
  }
}

async function read(response: Response): Promise<Attempt> {
  const { status } = response;
  if (status !== 200) {
    // Unread bodies hold on to their connection.
    await response.body?.cancel();
    if (status === 404 || status === 410 || status === 422) {
      return { kind: 'answered', answer: { found: false, status } };
    }
    return refused(response);
  }
  // Proxies in between answer 200 with HTML pages.
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

/** A Retry-After is a request to wait: where there is one, no second attempt is made at once. */
function refused(response: Response): Attempt {
  const wait = retryAfterSeconds(response.headers);
  if (response.status === 429) return failed('asks for fewer requests', { wait: wait ?? throttledSeconds });
  const passing = response.status === 408 || response.status >= 500;
  return failed(`answered with status ${response.status}`, { again: passing && wait === null, wait });
}

/** What Gamma's throttle usually asks for. */
const throttledSeconds = 10;

function failed(reason: string, how: { again?: boolean; wait?: number | null } = {}): Attempt {
  const error = new MarketUnavailable(`Polymarket ${reason}.`, how.wait ?? undefined);
  return { kind: 'failed', error, again: how.again ?? false };
}

function isJson(contentType: string | null): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(contentType ?? '');
}

/** By name, not by class: errors of `fetch` may come from another realm. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
}

/**
 * The body of a response as UTF-8 text, or null when it is longer than `maxBytes` (after decompression); then
 * the rest is not read.
 * @throws what `fetch` throws when the connection breaks or the time is up.
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
 * The seconds a `Retry-After` header asks to wait: at least 1, at most an hour. Null without a valid header. A date is
 * compared with the sender's own `Date` header if there is one, so that clocks which disagree do no harm.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const sentMs = Date.parse(headers.get('date') ?? '');
  const nowMs = Number.isNaN(sentMs) ? Date.now() : sentMs;
  const waitMs = parseRetryAfter({ retryAfter: headers.get('retry-after') }, nowMs);
  return waitMs === null ? null : Math.min(3_600, Math.max(1, Math.ceil(waitMs / 1_000)));
}
