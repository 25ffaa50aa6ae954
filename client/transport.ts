import type { Problem } from './api-types.js';
import { CouncilProblem } from './council-problem.js';
import type { AnswerAt, AnyOptions, Endpoint } from './request-options.js';

/** Where the API is, how to reach it, and what every request carries. */
export interface ApiConnection {
  /** `https://council.example`, without a path. */
  readonly baseUrl: string;
  /** An API key or a session token. Without one, events, prices and the track record can be read. */
  readonly apiKey?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the one of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default: answers are taken as the API sends them. */
  readonly parsers?: AnswerParsers;
}

/** How the JSON of responses gets its type. */
export interface AnswerParsers {
  readonly answerTo: <Name extends Endpoint>(endpoint: Name) => Parse<AnswerAt<Name>>;
  readonly problem: Parse<Problem>;
}

/**
 * Turns the JSON of a response into its type.
 * @param json null for a response without a body, undefined for a body that is not JSON
 */
export type Parse<Answer> = (json: unknown) => Parsed<Answer>;

/** `reason`: where the JSON differs from what was expected; empty if that is not known. */
export type Parsed<Answer> =
  | { readonly success: true; readonly data: Answer }
  | { readonly success: false; readonly reason: string };

/**
 * Sends requests and parses each response, without retries of its own. Every failure is thrown as a `CouncilProblem`, but
 * an abort by the caller's signal as the reason of the signal.
 */
export class Transport {
  readonly baseUrl: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly fetch: typeof globalThis.fetch;
  private readonly parsers: AnswerParsers;

  constructor({ baseUrl, apiKey, headers, fetch, parsers = trustingParsers }: ApiConnection) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.headers = { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers };
    // Browsers refuse to call it as a method of another object.
    this.fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.parsers = parsers;
  }

  /** @param endpoint such as `GET /api/events/{event_id}` */
  async request<Name extends Endpoint>(endpoint: Name, options: AnyOptions = {}): Promise<AnswerAt<Name>> {
    const json = await jsonOf(await this.send(endpoint, options));
    options.signal?.throwIfAborted();
    const parsed = this.parsers.answerTo(endpoint)(json);
    if (parsed.success) return parsed.data;
    const detail = `The response does not match the API's schema${parsed.reason}.`;
    throw new CouncilProblem('unexpected_answer', detail, { baseUrl: this.baseUrl });
  }

  /** The response itself, for its headers or its stream. It is 304 only if the headers name a version. */
  async send(endpoint: Endpoint, options: AnyOptions): Promise<Response> {
    const response = await this.fetchOnce(endpoint, options);
    if (!response.ok && response.status !== notModified) throw await this.problemIn(response);
    return response;
  }

  private async problemIn(response: Response): Promise<CouncilProblem> {
    const { baseUrl } = this;
    const parsed = this.parsers.problem(await jsonOf(response));
    if (!parsed.success) {
      const detail = `The service returned status ${response.status} without a problem document.`;
      return new CouncilProblem('unexpected_answer', detail, { baseUrl });
    }
    const { data: document } = parsed;
    const retryAfter = response.headers.get('retry-after') ?? '';
    const retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
    return new CouncilProblem(document.code, document.detail, { baseUrl, document, retryAfterSeconds });
  }

  private async fetchOnce(
    endpoint: Endpoint,
    { path, query, body, headers, signal, timeoutMs }: AnyOptions,
  ): Promise<Response> {
    const [method = '', template = ''] = endpoint.split(' ');
    const signals = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
    const abort = AbortSignal.any(signals.filter(each => each !== undefined));
    const init: RequestInit = {
      method,
      // A redirect could carry the caller's credential to another host.
      redirect: 'error',
      signal: abort,
      headers: {
        accept: 'application/json',
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const url = this.baseUrl + filled(template, path) + queryString(query);
    const send = () => this.fetch(url, init);
    try {
      return await send().catch((error: unknown) => {
        // The server can close a kept-alive connection at the moment it is reused.
        if (method === 'GET' && !abort.aborted) return send();
        throw error;
      });
    } catch (cause) {
      signal?.throwIfAborted();
      const detail = 'The service cannot be reached or did not respond in time.';
      throw new CouncilProblem('unreachable', detail, { baseUrl: this.baseUrl, cause });
    }
  }
}

function filled(template: string, path: AnyOptions['path'] = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => inPath(String(path[name] ?? '')));
}

/** Through UTF-8, which replaces lone surrogates: `encodeURIComponent` throws on them. */
function inPath(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)));
}

function queryString(query: AnyOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

const noContent = 204;
const notModified = 304;

/** Null without a body, undefined if the body is not JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.status === noContent ? null : response.json().catch(() => undefined);
}

/**
 * An answer is not compared with its schema, which would take a schema library. What is checked is what something
 * between caller and service can change: whether it is JSON at all, and whether an error is one of the service.
 */
const trustingParsers: AnswerParsers = {
  answerTo: <Name extends Endpoint>() => {
    const isAnswer = (json: unknown): json is AnswerAt<Name> => json !== undefined;
    return json => (isAnswer(json) ? { success: true, data: json } : notJson);
  },
  problem: json => (isProblem(json) ? { success: true, data: json } : notJson),
};

const notJson = { success: false, reason: '' } as const;

function isProblem(json: unknown): json is Problem {
  return (
    typeof json === 'object' &&
    json !== null &&
    'code' in json &&
    typeof json.code === 'string' &&
    'detail' in json &&
    typeof json.detail === 'string' &&
    'status' in json &&
    typeof json.status === 'number'
  );
}
