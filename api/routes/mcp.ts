import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { handleMcpRequest, rejectMcpRequest } from '../../mcp/server/http.js';
import { bodyMaxBytes } from '../../purchase/limits.js';
import type { LoopbackAuth } from '../auth/loopback-auth.js';
import { anyoneOrNobody } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { isForeignPage, ownAddress } from '../http/addresses.js';
import { uncached } from '../http/cache-control.js';
import { setUsualRetryAfter } from '../http/retry-after.js';

/**
 * `/mcp`: the tools over Streamable HTTP. They call this process's own API with the caller's credential. A bad one is
 * refused with 401 before any message is read, whatever the method: clients of the protocol ask for another one then,
 * and not at an error of a tool. Without a credential the free tools work.
 */
export function mcpRoute(context: ApiContext, loopbackAuth: LoopbackAuth): RequestHandler[] {
  return [
    anyoneOrNobody(context),
    express.raw({ type: () => true, limit: bodyMaxBytes }),
    async (request, response) => {
      const disconnected = new AbortController();
      response.once('close', () => disconnected.abort());
      const mcpResponse =
        refusalOf(context, request) ??
        (await handleMcpRequest({
          request: toWebRequest(request),
          api: {
            baseUrl: ownAddress(request),
            headers: { ...credentialHeaders(request), ...loopbackAuth.headersFor(request) },
          },
          disconnected: disconnected.signal,
          onError: err =>
            context.log.error({ err, requestId: response.locals['requestId'] }, 'an MCP tool failed'),
        }));
      await send(mcpResponse, response);
    },
  ];
}

/** There is no stream to GET and no session to DELETE. */
function refusalOf(context: ApiContext, request: Request): globalThis.Response | null {
  if (isForeignPage(context, request))
    return rejectMcpRequest(403, 'Pages of other origins are not allowed here.');
  return request.method === 'POST'
    ? null
    : rejectMcpRequest(405, 'This path accepts POST only.', { allow: 'POST' });
}

/** Forwarded in the header that the caller used: a key in one can be a session in the other. */
function credentialHeaders(request: Request): Record<string, string> {
  const given = ['x-api-key', 'authorization'].map(name => [name, request.get(name)] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** With the headers that the protocol reads. No response depends on the host name. */
function toWebRequest(request: Request): globalThis.Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'];
  const headers = new Headers();
  for (const name of names) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  const body: unknown = request.body;
  return new globalThis.Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    ...(Buffer.isBuffer(body) ? { body: new Uint8Array(body) } : {}),
  });
}

/** Streams the response, so that progress arrives while a tool waits. */
async function send(mcpResponse: globalThis.Response, response: Response): Promise<void> {
  // A proxy that compresses a stream holds it back.
  response.status(mcpResponse.status).set('Cache-Control', `${uncached}, no-transform`);
  mcpResponse.headers.forEach((value, name) => {
    // Node sets `Connection` itself, together with `Keep-Alive`.
    if (name !== 'connection' && name !== 'cache-control') response.setHeader(name, value);
  });
  setUsualRetryAfter(response);
  response.flushHeaders();
  if (mcpResponse.body === null) {
    response.end();
    return;
  }
  // A client that disconnects breaks the pipe, which is not an error.
  await pipeline(Readable.from(mcpResponse.body), response).catch(() => undefined);
}
