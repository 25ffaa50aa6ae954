import type { z } from 'zod';
import type { HeaderKey } from './headers.js';
import type { ProblemCode } from './problems.js';

/**
 * One operation of the public API. Its route, its access, the parser of its request, the type of its handler, its part of
 * the API reference and the types of its clients all follow from it. What follows from another field is left out: the 401
 * of `access`, the 429 of the rate limit, the `If-None-Match` of a 304.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{parameters}` in braces. */
  readonly path: string;
  readonly tag: TagName;
  readonly access: Access;
  /** `spend`: it spends or changes something, which an API key of the scope `read` may not. Default: such a key may. */
  readonly scope?: 'spend';
  readonly summary: string;
  /** What it does, in Markdown. */
  readonly description: string;
  /** Default: nothing. */
  readonly costs?: string;
  /** Requirements beyond `access`. */
  readonly needs?: string;
  /** False if nothing limits the requests: the responses have no rate limit headers. */
  readonly throttled?: false;
  /** The messages of its schemas are the `detail` of the response to a path that names nothing. */
  readonly parameters?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** An example of each parameter. */
  readonly examples?: Readonly<Record<string, string | number>>;
  readonly body?: RequestBody;
  /** The responses of 2xx and 3xx by status. */
  readonly answers: Readonly<Partial<Record<AnswerStatus, Answer>>>;
  /** In addition to those that every operation of its kind has. */
  readonly problems?: readonly ProblemCode[];
}

/** `anyone`: an API key or a session. `cookie`: the browser's own session, as the sign-in left it. */
export type Access = 'public' | 'anyone' | 'session' | 'cookie' | 'cookie_if_any';

export type TagName =
  | 'Events'
  | 'Reports'
  | 'Batches'
  | 'Track record'
  | 'Credits'
  | 'Billing'
  | 'API keys'
  | 'Provider keys'
  | 'Webhooks'
  | 'Accounts'
  | 'Service';

export interface RequestBody {
  readonly schema: z.ZodType;
  /** Default: true. */
  readonly required?: false;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export type AnswerStatus = 200 | 201 | 202 | 204 | 302 | 304;

/** A response of 2xx or 3xx. One without a schema has no body. */
export interface Answer {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Server-sent events (`text/event-stream`), which are described in words. */
  readonly isEventStream?: true;
  /** The media types of a file, which is described in words. */
  readonly files?: readonly string[];
  /** The summary of each example by its name. `examples/` has the values. */
  readonly examples?: Readonly<Record<string, string>>;
  readonly headers?: readonly HeaderKey[];
  readonly links?: Readonly<Record<string, Link>>;
}

/** An operation that follows from a response. */
export interface Link {
  readonly operationId: string;
  readonly description: string;
  /** Parameter → runtime expression. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The 304 of an operation that takes `If-None-Match`. */
export const notModified = {
  description: 'The resource has not changed since the response with this `ETag`.',
  headers: ['ETag'],
} as const satisfies Answer;
