import express, { type Request, type RequestHandler, type Response } from 'express';
import { bodyMaxBytes } from '../../council/limits.js';
import type { AccountsHandler } from '../auth/accounts.js';
import { notJson, Problem } from '../http/problem.js';

/**
 * `/api/auth/*`: the built-in accounts. The library brings its own routes and errors; here its errors become
 * the problem documents that every other route answers with.
 */
export function accountsRoute(accounts: AccountsHandler): RequestHandler[] {
  return [
    express.raw({ type: () => true, limit: bodyMaxBytes }),
    async (request, response) => {
      const headers = headersOf(request);
      const body = bodyOf(request);
      if (body === null) headers.delete('content-type');
      const answer = await accounts.handle(
        new globalThis.Request(urlOf(request), {
          method: request.method,
          headers,
          ...(body === null ? {} : { body }),
        }),
      );
      if (answer.status >= 400) throw await asProblem(answer);
      await send(answer, response);
    },
  ];
}

/** The library takes for granted that JSON is well formed. @throws Problem `invalid_request` where it is not. */
function bodyOf(request: Request): Uint8Array<ArrayBuffer> | null {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
  if (request.is('json') !== false) {
    try {
      JSON.parse(body.toString());
    } catch {
      throw notJson();
    }
  }
  return new Uint8Array(body);
}

/** @throws Problem `invalid_request` for a Host that is none. */
function urlOf(request: Request): string {
  const host = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
  if (URL.canParse(request.originalUrl, host)) return new URL(request.originalUrl, host).href;
  const detail = 'is not the name of a host';
  throw new Problem('invalid_request', `Host: ${detail}`, { errors: [{ parameter: 'Host', detail }] });
}

/**
 * Browsers say from where they ask in `Sec-Fetch-Site` or `Origin`. Some HTTP clients send `Sec-Fetch-Mode` alone,
 * which the library would take for a browser that hides its origin; they are no browser, and carry no one's cookies.
 */
function headersOf(request: Request): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  if (!headers.has('sec-fetch-site') && !headers.has('origin')) headers.delete('sec-fetch-mode');
  return headers;
}

async function send(answer: globalThis.Response, response: Response): Promise<void> {
  response.status(answer.status).set('Cache-Control', 'no-store');
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') response.set(name, value);
  });
  for (const cookie of answer.headers.getSetCookie()) response.append('Set-Cookie', cookie);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

async function asProblem(answer: globalThis.Response): Promise<Problem> {
  const detail = messageIn(await answer.text());
  switch (answer.status) {
    case 401:
      return new Problem('unauthenticated', detail ?? 'You are not signed in.');
    case 404:
      return new Problem('not_found', detail ?? 'There is nothing at this path.');
    case 415:
      return new Problem('unsupported_media_type', detail ?? 'The body must be JSON.');
    case 429:
      return new Problem('rate_limited', 'Too many attempts. Wait a little.', { retryAfterSeconds: 10 });
    default:
      return answer.status >= 500
        ? new Problem('unavailable', 'Accounts cannot be reached at the moment.', { retryAfterSeconds: 5 })
        : new Problem('invalid_request', detail ?? 'The request is not valid.', { errors: [] });
  }
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
