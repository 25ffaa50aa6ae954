import express, { type Request, type RequestHandler, type Response } from 'express';
import { accountMailOperations } from '../../contract/account-mail.js';
import { accountOperations } from '../../contract/accounts.js';
import type { Operation } from '../../contract/operation.js';
import { parseUrl } from '../../council/parse-url.js';
import { bodyMaxBytes } from '../../purchase/limits.js';
import { type AccountsHandler, callerAddressHeader } from '../auth/accounts.js';
import { invalidJson, Problem } from '../http/problem.js';
import type { Attempts } from '../throttling/attempts.js';

/**
 * `/api/auth/*`: the built-in accounts, with the routes of a library. Its errors become problem documents.
 * @param publicUrl the origin under which the library sees every request, whatever the caller calls this host
 */
export function accountsRoute(
  accounts: AccountsHandler,
  publicUrl: string,
  attempts: Attempts,
): RequestHandler[] {
  return [
    express.raw({ type: () => true, limit: bodyMaxBytes }),
    async (request, response) => {
      if (!offeredPaths.has(request.path)) throw new Problem('not_found', 'There is nothing at this path.');
      const body = readBody(request);
      const headers = forwardedHeaders(request);
      const forwarded = new globalThis.Request(urlOf(request, publicUrl), {
        method: request.method,
        headers,
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      const sent = { request, body, sessionAddress: () => accounts.sessionAddress(headers) };
      const accountsResponse = await attempts.during(sent, () => accounts.handle(forwarded));
      if (accountsResponse.status >= 400) throw await toProblem(accountsResponse, publicUrl);
      await send(accountsResponse, response);
    },
  ];
}

/**
 * The library has more routes than this service offers: they would change names and addresses, delete users and link
 * accounts of other providers, and its next version can add others.
 */
export const offeredRoutes: readonly Pick<Operation, 'method' | 'path'>[] = [
  ...Object.values(accountOperations),
  ...Object.values(accountMailOperations),
  // Described by the library: what the owner of a session does with it.
  { method: 'get', path: '/api/auth/list-sessions' },
  ...['revoke-session', 'revoke-sessions', 'revoke-other-sessions', 'change-password'].map(
    name => ({ method: 'post', path: `/api/auth/${name}` }) as const,
  ),
];

export const offeredPaths: ReadonlySet<string> = new Set(offeredRoutes.map(({ path }) => path));

/**
 * The library also reads forms, on some routes, and picks its parser by a part of the content type. What it read there,
 * the throttle would not see: both get the same parsed JSON. Null without a body.
 * @throws Problem `unsupported_media_type`, `invalid_request`
 */
function readBody(request: Request): unknown {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0 || request.method !== 'POST') return null;
  if (!/^application\/json *(;|$)/i.test(request.get('content-type') ?? ''))
    throw new Problem(
      'unsupported_media_type',
      'The body must be JSON, with Content-Type: application/json.',
    );
  try {
    return JSON.parse(body.toString());
  } catch {
    throw invalidJson();
  }
}

/** A request line may name a host, too (`GET http://other/api/auth/token`). */
function urlOf({ originalUrl }: Request, publicUrl: string): URL {
  const url = new URL(publicUrl);
  const { pathname, search } = parseUrl(originalUrl, publicUrl) ?? url;
  url.pathname = pathname;
  url.search = search;
  return url;
}

/** What the library reads. Everything else, such as `X-Forwarded-For`, could only mislead it. */
const readHeaders = [
  'accept',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
] as const;

/**
 * Browsers send `Sec-Fetch-Site` or `Origin`. Some HTTP clients send `Sec-Fetch-Mode` alone, which the
 * library would take for a browser that hides its origin. They are not browsers and carry no user's cookies.
 */
function forwardedHeaders(request: Request): Headers {
  const headers = new Headers({
    [callerAddressHeader]: request.ip ?? '',
    'content-type': 'application/json',
  });
  for (const name of readHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (!headers.has('sec-fetch-site') && !headers.has('origin')) headers.delete('sec-fetch-mode');
  return headers;
}

async function send(accountsResponse: globalThis.Response, response: Response): Promise<void> {
  response.status(accountsResponse.status);
  accountsResponse.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && name !== 'cache-control') response.set(name, value);
  });
  for (const cookie of accountsResponse.headers.getSetCookie()) response.append('Set-Cookie', cookie);
  response.end(Buffer.from(await accountsResponse.arrayBuffer()));
}

async function toProblem(accountsResponse: globalThis.Response, publicUrl: string): Promise<Problem> {
  const detail = messageIn(await accountsResponse.text());
  switch (accountsResponse.status) {
    case 401:
      return new Problem('unauthenticated', detail ?? 'You are not signed in.');
    case 403:
      return new Problem('invalid_request', refusalOf(detail ?? 'This is not allowed.', publicUrl), {
        errors: [],
      });
    case 404:
      return new Problem('not_found', detail ?? 'There is nothing at this path.');
    case 415:
      return new Problem('unsupported_media_type', detail ?? 'The body must be JSON.');
    case 429:
      return new Problem('rate_limited', 'Too many attempts. Try again later.', { retryAfterSeconds: 10 });
    default:
      return accountsResponse.status >= 500
        ? new Problem('unavailable', 'The accounts are unavailable at the moment.', { retryAfterSeconds: 5 })
        : new Problem('invalid_request', detail ?? 'The request is not valid.', { errors: [] });
  }
}

/** Operators see this when `PUBLIC_URL` is not the address that they opened. */
function refusalOf(detail: string, publicUrl: string): string {
  return /origin/i.test(detail) ? `${detail}: accounts can be used at ${publicUrl} only.` : detail;
}

function messageIn(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('message' in parsed)) return null;
    return typeof parsed.message === 'string' ? parsed.message : null;
  } catch {
    return null;
  }
}
