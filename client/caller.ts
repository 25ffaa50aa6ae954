import type { AnswerAt, AnyOptions, Endpoint } from './request-options.js';
import { withRetries } from './retries.js';
import { type ApiConnection, Transport } from './transport.js';

export interface ClientOptions extends ApiConnection {
  /**
   * How long the pauses before further tries may take, all together, while the service is too busy or away. 0: no further
   * tries. Default: 60.
   */
  readonly retryWithinSeconds?: number;
}

/** The API itself gives up sooner. Three tries fit into the 60 seconds after which a caller of a caller usually gives up. */
const timeoutMsUnset = 10_000;
const retryWithinSecondsUnset = 60;

/** Sends requests with a time limit, and again where that cannot do harm. */
export class Caller {
  readonly baseUrl: string;
  readonly retryWithinSeconds: number;
  private readonly transport: Transport;

  constructor({ retryWithinSeconds = retryWithinSecondsUnset, ...connection }: ClientOptions) {
    this.transport = new Transport(connection);
    this.baseUrl = this.transport.baseUrl;
    this.retryWithinSeconds = retryWithinSeconds;
  }

  request<Name extends Endpoint>(endpoint: Name, options: AnyOptions = {}): Promise<AnswerAt<Name>> {
    return withRetries(() => this.transport.request(endpoint, { timeoutMs: timeoutMsUnset, ...options }), {
      isRepeatable: isRepeatable(endpoint, options),
      withinSeconds: this.retryWithinSeconds,
      signal: options.signal,
    });
  }

  /** The response itself, without a time limit and without further tries. */
  send(endpoint: Endpoint, options: AnyOptions): Promise<Response> {
    return this.transport.send(endpoint, options);
  }

  /** @param waitSeconds how long the API may hold the response until the report changes; at most 50 */
  readReport(
    id: number,
    options: { readonly waitSeconds?: number; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<AnswerAt<'GET /api/reports/{id}'>> {
    return this.requestHeld('GET /api/reports/{id}', { path: { id }, ...options });
  }

  /** @param waitSeconds how long the API may hold the response; at most 50 */
  requestHeld<Name extends Endpoint>(
    endpoint: Name,
    { waitSeconds = 0, ...options }: AnyOptions & { readonly waitSeconds?: number },
  ): Promise<AnswerAt<Name>> {
    return this.request(endpoint, {
      ...options,
      headers: waitSeconds > 0 ? { prefer: `wait=${waitSeconds}` } : {},
      timeoutMs: timeoutMsUnset + waitSeconds * 1_000,
    });
  }
}

/** A purchase without a key could be made twice; so could whatever else a POST creates. */
function isRepeatable(endpoint: Endpoint, { headers = {} }: AnyOptions): boolean {
  const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'idempotency-key');
  return hasKey || /^(GET|PUT|DELETE) /.test(endpoint);
}
