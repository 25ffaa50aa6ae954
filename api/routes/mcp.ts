import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { bodyMaxBytes } from '../../council/limits.js';
import { answerHttp, refuseHttp } from '../../mcp/server/http.js';
import type { LoopbackAuth } from '../auth/loopback-auth.js';
import type { ApiContext } from '../context.js';
import { isForeignPage, ownAddress } from '../http/addresses.js';

/** `/mcp`: the tools over Streamable HTTP, each a client of the API that stands beside it, with the caller's credential. */
export function mcpRoute({ log }: ApiContext, ownCalls: LoopbackAuth): RequestHandler[] {
  return [
    express.raw({ type: () => true, limit: bodyMaxBytes }),
    async (request, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const answer = isForeignPage(request)
        ? refuseHttp(403, 'Pages of other origins are not answered here.')
        : await answerHttp({
            request: asWebRequest(request),
            api: {
              baseUrl: ownAddress(request),
              headers: { ...credential(request), ...ownCalls.mark(request) },
            },
            gone: gone.signal,
            onTrouble: err =>
              log.error({ err, requestId: response.locals['requestId'] }, 'an MCP tool failed'),
          });
      await send(answer, response);
    },
  ];
}

/** In the header it came in: what is a key in one may be a session in the other. */
function credential(request: Request): Record<string, string> {
  const given = ['x-api-key', 'authorization'].map(name => [name, request.get(name)] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What the protocol looks at. The host is of no account: no answer is made from it. */
function asWebRequest(request: Request): globalThis.Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'];
  const headers = new Headers();
  for (const name of names) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  const body: unknown = request.body;
  return new globalThis.Request('http://localhost/mcp', {
    method: request.method,
    headers,
    ...(Buffer.isBuffer(body) && request.method === 'POST' ? { body: new Uint8Array(body) } : {}),
  });
}

/** Sent on as it comes: progress is told while a tool waits. */
async function send(answer: globalThis.Response, response: Response): Promise<void> {
  response.status(answer.status).set('Cache-Control', 'no-store');
  answer.headers.forEach((value, name) => {
    // Said by the server itself, which then also tells how long it keeps a connection.
    if (name !== 'connection') response.setHeader(name, value);
  });
  response.flushHeaders();
  if (answer.body === null) {
    response.end();
    return;
  }
  // A client that hangs up ends the pipe early, which is no failure of anybody's.
  await pipeline(Readable.from(answer.body), response).catch(() => undefined);
}
