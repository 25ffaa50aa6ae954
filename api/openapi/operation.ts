import type { z } from 'zod';
import { conditionalHeader } from '../../contract/parameters.js';
import type { ProblemCode } from '../../council/problems.js';
import type { HeaderKey } from './headers.js';

/** One route as the document tells it. What follows from other fields (a 401 from `access`, say) is left out here. */
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
  /** What it needs beyond `access`. */
  readonly needs?: string;
  /** False where requests are not counted; then no answer tells how many are left. */
  readonly throttled?: false;
  readonly parameters?: readonly Parameters[];
  readonly body?: RequestBody;
  readonly answers: readonly Answer[];
  /** Besides those that every operation of its kind has (`problem-codes.ts`). */
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

/** By the schema that parses them. Each has an example. */
export interface Parameters {
  readonly in: 'path' | 'query' | 'header';
  readonly schema: z.ZodObject;
  readonly examples: Readonly<Record<string, string | number>>;
}

export interface RequestBody {
  /** By the schema that parses it; one of `components.ts`. */
  readonly schema: z.ZodType;
  readonly required: boolean;
  readonly examples: Examples;
}

/** An answer within 2xx or 3xx. One without a shape has no body. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 304;
  readonly description: string;
  /** One of `components.ts`. */
  readonly shape?: z.ZodType;
  readonly examples?: Examples;
  readonly headers?: readonly HeaderKey[];
  readonly links?: Readonly<Record<string, Link>>;
}

/** Where to go from an answer. */
export interface Link {
  readonly operationId: string;
  readonly description: string;
  /** Parameter → runtime expression. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Name → what it is an example of, and the JSON itself. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** Matches the paths of a template such as `/api/reports/{id}`, as the routers do: in any letter case, with or without an end slash. */
export function pathPattern(template: string): RegExp {
  const parts = template
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}/?$`, 'i');
}

/** For answers that have an `ETag`. */
export const conditional: Parameters = {
  in: 'header',
  schema: conditionalHeader,
  examples: { 'If-None-Match': '"an-etag-of-before"' },
};

export const notModified: Answer = {
  status: 304,
  description: 'Nothing has changed since the answer whose `ETag` was sent.',
  headers: ['ETag', 'Cache-Control'],
};
