import type { Operations } from './api-types.js';

/** Method and path of an operation, with parameters in braces: `GET /api/events/{event_id}`. */
export type Endpoint = keyof Operations;

/** The body of every response of 2xx at an endpoint; null where there is none. */
export type AnswerAt<Name extends Endpoint> = Operations[Name]['answer'];

/** The parameters of the query of an operation. */
export type QueryAt<Name extends Endpoint> = Operations[Name] extends { readonly query?: infer Query }
  ? NonNullable<Query>
  : never;

/** What every request may have. */
export interface SendOptions {
  /** Ends the request. What is thrown then is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a try may take. */
  readonly timeoutMs?: number;
}

/** The options of one operation: what its path, its query and its body need. */
export type RequestOptions<Name extends Endpoint> = SendOptions & Omit<Operations[Name], 'answer'>;

/** The options of any operation. */
export interface AnyOptions extends SendOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The arguments of a call: options can be left out where the operation needs none. */
export type RequestArguments<Name extends Endpoint> =
  {} extends RequestOptions<Name> ? [options?: RequestOptions<Name>] : [options: RequestOptions<Name>];
