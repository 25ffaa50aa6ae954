import type { AnswerAt, Endpoint } from '../contract/operations.js';
import type { ProblemView } from '../contract/service.js';

/** Address of the API, and the headers that every request carries: for example the caller's credential. */
export interface ApiAddress {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Default: no limit. */
  readonly timeoutMs?: number;
}

/** An operation with a parameter in its path needs a value for it. */
export type OptionsAt<Name extends Endpoint, Options = RequestOptions> = [ParameterOf<Name>] extends [never]
  ? Options
  : Options & { readonly path: Readonly<Record<ParameterOf<Name>, string | number>> };

/** The names of the parameters of a path, wherever they stand. */
type ParameterOf<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | ParameterOf<Rest>
  : never;

/** The options of any operation. */
export interface AnyOptions extends RequestOptions {
  readonly path?: Readonly<Record<string, string | number>>;
}

/** How the JSON of responses gets its type. */
export interface AnswerParsers {
  readonly answerTo: <Name extends Endpoint>(endpoint: Name) => Parse<AnswerAt<Name>>;
  readonly problem: Parse<ProblemView>;
}

/**
 * Turns the JSON of a response into its type. An argument of the client, because programs parse by the schemas
 * of `contract/` (`schema-parsers.ts`) and browsers do without a schema library.
 * @param json null for a response without a body, undefined for a body that is not JSON
 */
export type Parse<Answer> = (json: unknown) => Parsed<Answer>;

/** `reason`: where the JSON differs from what was expected; empty if that is not known. */
export type Parsed<Answer> =
  | { readonly success: true; readonly data: Answer }
  | { readonly success: false; readonly reason: string };

/**
 * Sends requests to the public API and parses each response. Runs in Node and in browsers. Every failure is
 * thrown as an `ApiProblem`.
 */
export class HttpClient {
  readonly baseUrl: string;
  private readonly headers: ApiAddress['headers'];
  private readonly parsers: AnswerParsers;

  constructor({ baseUrl, headers }: ApiAddress, parsers: AnswerParsers) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.headers = headers;
    this.parsers = parsers;
  }

  /** @param endpoint such as `GET /api/events/{event_id}` */
  async request<Name extends Endpoint>(endpoint: Name, options?: AnyOptions): Promise<AnswerAt<Name>> {
    const parsed = this.parsers.answerTo(endpoint)(await jsonOf(await this.send(endpoint, options)));
    if (parsed.success) return parsed.data;
    const detail = `The response does not match the API's schema${parsed.reason}.`;
    throw new ApiProblem('unexpected_answer', detail, { baseUrl: this.baseUrl });
  }

  /** The response itself, for its headers. */
  async send(endpoint: Endpoint, options: AnyOptions = {}): Promise<Response> {
    const response = await this.fetch(endpoint, options);
    if (!response.ok) throw await this.readProblem(response);
    return response;
  }

  private async readProblem(response: Response): Promise<ApiProblem> {
    const { baseUrl } = this;
    const parsed = this.parsers.problem(await jsonOf(response));
    if (!parsed.success) {
      const detail = `The service returned status ${response.status} without a problem document.`;
      return new ApiProblem('unexpected_answer', detail, { baseUrl });
    }
    const { data: document } = parsed;
    const retryAfter = response.headers.get('retry-after') ?? '';
    const retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
    return new ApiProblem(document.code, document.detail, { baseUrl, document, retryAfterSeconds });
  }

  private async fetch(
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
    try {
      return await fetch(url, init).catch((error: unknown) => {
        // The server can close a kept-alive connection at the moment it is reused.
        if (method === 'GET' && !abort.aborted) return fetch(url, init);
        throw error;
      });
    } catch (cause) {
      throw new ApiProblem('unreachable', 'The service cannot be reached or did not respond in time.', {
        baseUrl: this.baseUrl,
        cause,
      });
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

function queryString(query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

const noContent = 204;

/** Null without a body, undefined if the body is not JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.status === noContent ? null : response.json().catch(() => undefined);
}

/**
 * Codes of failures that the API did not report: no response, no valid response, no response to a purchase.
 */
export const clientProblemCodes = ['purchase_unknown', 'unreachable', 'unexpected_answer'] as const;

interface ProblemDetails {
  readonly baseUrl: string;
  readonly document?: ProblemView;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** A response outside 2xx, or no usable response at all. The message is the `detail` of the problem. */
export class ApiProblem extends Error {
  readonly code: ProblemView['code'] | (typeof clientProblemCodes)[number];
  readonly baseUrl: string;
  /** Null where the API sent no problem document. */
  readonly document: ProblemView | null;
  /** The `Retry-After` header, in seconds. */
  readonly retryAfterSeconds: number | null;

  constructor(code: ApiProblem['code'], detail: string, details: ProblemDetails) {
    super(detail, { cause: details.cause });
    this.name = 'ApiProblem';
    this.code = code;
    this.baseUrl = details.baseUrl;
    this.document = details.document ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}
