import type { ProblemView } from '../contract/service.js';

/** Address of the API, and the headers that every request carries: for example the caller's credential. */
export interface ApiAddress {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Default: no limit. */
  readonly timeoutMs?: number;
}

/**
 * Turns the JSON of a response into its type. An argument of the client, because programs parse by the schemas
 * of `contract/` (`parse-with.ts`) and browsers do without a schema library.
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
  private readonly parseProblem: Parse<ProblemView>;

  constructor({ baseUrl, headers }: ApiAddress, parseProblem: Parse<ProblemView>) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.headers = headers;
    this.parseProblem = parseProblem;
  }

  async request<Answer>(parse: Parse<Answer>, path: string, options?: RequestOptions): Promise<Answer> {
    const parsed = parse(await jsonOf(await this.send(path, options)));
    if (parsed.success) return parsed.data;
    const detail = `The response does not match the API's schema${parsed.reason}.`;
    throw new ApiProblem('unexpected_answer', detail, { baseUrl: this.baseUrl });
  }

  /** The response itself, for its headers. */
  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    const response = await this.fetch(path, options);
    if (!response.ok) throw await this.readProblem(response);
    return response;
  }

  private async readProblem(response: Response): Promise<ApiProblem> {
    const { baseUrl } = this;
    const parsed = this.parseProblem(await jsonOf(response));
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
    path: string,
    { method = 'GET', body, headers, signal, timeoutMs }: RequestOptions,
  ): Promise<Response> {
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
    const url = this.baseUrl + path;
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
  /** From the `Retry-After` header. */
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
