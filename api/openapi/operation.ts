import type { z } from 'zod';
import { conditionalHeader } from '../../contract/parameters.js';
import type { ProblemCode } from '../../contract/problems.js';
import type { HeaderKey } from './headers.js';

/** One route of the document. What follows from other fields is left out, for example the 401 of `access`. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `{parameters}` in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: TagName;
  readonly summary: string;
  /** What it does, in Markdown. */
  readonly description: string;
  readonly costs: string;
  readonly access: Access;
  /** Requirements beyond `access`. */
  readonly needs?: string;
  /** False for routes without a rate limit; their responses have no rate limit headers. */
  readonly throttled?: false;
  readonly parameters?: readonly Parameters[];
  readonly body?: RequestBody;
  readonly responses: readonly SuccessResponse[];
  /** In addition to those that every operation of its kind has (`problems.ts`). */
  readonly problems?: readonly ProblemCode[];
}

/** `anyone`: an API key or a session. `cookie`: the browser's own session, as the sign-in left it. */
export type Access = 'public' | 'anyone' | 'session' | 'cookie' | 'cookie_if_any';

export type TagName =
  | 'Events'
  | 'Reports'
  | 'Track record'
  | 'Credits'
  | 'Billing'
  | 'API keys'
  | 'Provider keys'
  | 'Accounts'
  | 'Service';

/** Defined by the schema that parses them. Each has an example. */
export interface Parameters {
  readonly in: 'path' | 'query' | 'header';
  readonly schema: z.ZodObject;
  readonly examples: Readonly<Record<string, string | number>>;
}

export interface RequestBody {
  /** The schema that parses it; one of `components.ts`. */
  readonly schema: z.ZodType;
  readonly required: boolean;
  readonly examples: Examples;
}

/** A response of 2xx or 3xx. One without a shape has no body. */
export interface SuccessResponse {
  readonly status: 200 | 201 | 202 | 204 | 302 | 304;
  readonly description: string;
  /** One of `components.ts`. */
  readonly shape?: z.ZodType;
  readonly examples?: Examples;
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

/** Name → summary and JSON of an example. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/**
 * Matches a template such as `/api/reports/{id}` like the routers do: in any letter case, with or without a
 * trailing slash.
 */
export function pathPattern(template: string): RegExp {
  const parts = template
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}/?$`, 'i');
}

/** For operations whose responses have an `ETag`. */
export const conditional: Parameters = {
  in: 'header',
  schema: conditionalHeader,
  examples: { 'If-None-Match': '"an-etag-of-before"' },
};

export const notModified: SuccessResponse = {
  status: 304,
  description: 'The resource has not changed since the response with this `ETag`.',
  headers: ['ETag'],
};
