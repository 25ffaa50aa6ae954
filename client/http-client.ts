import type { z } from 'zod';
import { type ProblemView, problemShape } from '../contract/service.js';

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
 * Sends requests to the public API and parses each response by its schema in `contract/`. Runs in Node and in
 * browsers. Every failure is thrown as an `ApiProblem`.
 */
export class HttpClient {
  readonly baseUrl: string;
  private readonly headers: ApiAddress['headers'];

  constructor({ baseUrl, headers }: ApiAddress) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.headers = headers;
  }

  async request<Shape extends z.ZodType>(
    shape: Shape,
    path: string,
    options?: RequestOptions,
  ): Promise<z.output<Shape>> {
    const response = await this.send(path, options);
    const parsed = shape.safeParse(await response.json().catch(() => null));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const location = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    const detail = `The response does not match the API's schema${location}.`;
    throw new ApiProblem('unexpected_answer', detail, { baseUrl: this.baseUrl });
  }

  /** The response itself, for its headers. */
  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    const response = await this.fetch(path, options);
    if (!response.ok) throw await readProblem(response, this.baseUrl);
    return response;
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

async function readProblem(response: Response, baseUrl: string): Promise<ApiProblem> {
  const parsed = problemShape.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return new ApiProblem(
      'unexpected_answer',
      `The service returned status ${response.status} without a problem document.`,
      { baseUrl },
    );
  }
  const retryAfter = response.headers.get('retry-after') ?? '';
  return new ApiProblem(parsed.data.code, parsed.data.detail, {
    baseUrl,
    document: parsed.data,
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  });
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
